import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from './command-line.ts'

const AUTH = `import SiteAuth from '@siteauth/next'
import GitHub from '@siteauth/next/providers/github'

export const { handlers, auth } = SiteAuth({ providers: [GitHub] })
`
const NEXT = { 'package.json': '{"dependencies":{"next":"16"}}', 'auth.ts': AUTH }

describe('siteauth add', () => {
  it('writes the import, the list entry and the variables', async () => {
    const project = createProject(NEXT)
    const { code } = await project.run('add', 'keycloak')
    expect(code).toBe(0)
    expect(project.read('auth.ts')).toBe(
      AUTH.replace(
        `/github'\n`,
        `/github'\nimport Keycloak from '@siteauth/next/providers/keycloak'\n`,
      ).replace('[GitHub]', '[GitHub, Keycloak]'),
    )
    expect(project.read('.env.local')).toBe(
      'AUTH_KEYCLOAK_ID=\nAUTH_KEYCLOAK_SECRET=\nAUTH_KEYCLOAK_ISSUER=\n',
    )
  })

  it('says what to register, and the exact callback URLs', async () => {
    const project = createProject({ ...NEXT, '.env': 'AUTH_URL=https://example.com\n' })
    const { told } = await project.run('add', 'google')
    expect(told).toContain('http://localhost:3000/api/auth/callback/google')
    expect(told).toContain('https://example.com/api/auth/callback/google')
    expect(told).toMatch(/Register an application at Google: https:\/\/\S*google\S*/)
  })

  it.each([
    [
      'ServerAuth',
      {
        'server.js': `import { ServerAuth } from '@siteauth/express'
app.use('/login', ServerAuth({ providers: [] }))`,
      },
    ],
    [
      'an instance',
      {
        'auth.js': `import { SiteAuth } from '@siteauth/express'
export const auth = SiteAuth({ providers: [] })`,
        'server.js': `import { auth as siteAuth } from './auth.js'
app.use('/account', siteAuth.requireSession())
app.use('/login', siteAuth.handler)`,
      },
    ],
    [
      'an instance that is required',
      {
        'auth.js': `const { SiteAuth } = require('@siteauth/express')
exports.auth = SiteAuth({ providers: [] })`,
        'server.js': `const { auth } = require('./auth.js')
app.use('/login', auth.handler)`,
      },
    ],
  ])('says callback URLs by where Express mounts the endpoints: %s', async (_, files) => {
    const project = createProject({
      'package.json': '{"dependencies":{"express":"5"}}',
      ...files,
    } as Record<string, string>)
    const { told } = await project.run('add', 'google')
    expect(told).toContain('http://localhost:3000/login/callback/google')
  })

  it('keeps to the style of the file: several lines, double quotes, semicolons', async () => {
    const text = `import GitHub from "@siteauth/core/providers/github";

export const config = {
  providers: [
    GitHub({ scope: "a" }),
    // the last one
  ],
};
`
    const project = createProject({ 'package.json': '{}', 'auth.ts': text })
    await project.run('add', 'google')
    expect(project.read('auth.ts')).toBe(
      text
        .replace('";\n', '";\nimport Google from "@siteauth/core/providers/google";\n')
        .replace('"a" }),\n', '"a" }),\n    Google,\n'),
    )
  })

  it('writes require where the file does', async () => {
    const project = createProject({
      'package.json': '{}',
      'auth.js': `const { ServerAuth } = require('@siteauth/express')\nexports.config = { providers: [] }\n`,
    })
    await project.run('add', 'discord')
    expect(project.read('auth.js')).toBe(
      `const { ServerAuth } = require('@siteauth/express')\nconst Discord = require('@siteauth/core/providers/discord').default\nexports.config = { providers: [Discord] }\n`,
    )
  })

  it('adds to the configuration that proxy and pages share', async () => {
    const shared = `import type { AuthConfig } from '@siteauth/core'\nexport default { providers: [] } satisfies AuthConfig\n`
    const project = createProject({ ...NEXT, 'auth.config.ts': shared })
    await project.run('add', 'google')
    expect(project.read('auth.config.ts')).toContain('providers: [Google]')
    expect(project.read('auth.ts')).toBe(AUTH)
  })

  it('changes nothing if it is there', async () => {
    const project = createProject(NEXT)
    const { code, told } = await project.run('add', 'github')
    expect(code).toBe(0)
    expect(told).toContain('unchanged auth.ts')
    expect(project.read('auth.ts')).toBe(AUTH)
  })

  it('asks which of several is meant', async () => {
    const project = createProject(NEXT)
    const choose = async (_: string, choices: readonly { value: string }[]) =>
      choices.find(({ value }) => value === 'azure-devops')?.value as never
    await project.runIn({ asker: { choose, confirm: async () => false } }, 'add', 'azure')
    expect(project.read('auth.ts')).toContain('providers/azure-devops')
  })

  it.each([
    ['azure', 'azure-devops'],
    ['githb', 'github'],
    ['resend', '@siteauth/core/providers/resend'],
    ['nobody-has-it', 'OpenID Connect'],
  ])('helps on where it cannot tell: %s', async (wanted, expected) => {
    const { code, told } = await createProject(NEXT).run('add', wanted)
    expect(code).toBe(1)
    expect(told).toContain(expected)
  })

  it('lists the providers that fit a word', async () => {
    const { output } = await createProject(NEXT).run('add', '--list', 'entra')
    expect(output).toMatch(/^microsoft-entra-id +Microsoft Entra ID\n$/)
  })

  it.each([
    ['a comma in a comment', '[\n  GitHub // a, b\n]', '[\n  GitHub, // a, b\n  Google\n]'],
    [
      'a comment at the end',
      '[\n  GitHub, // ours, for now\n]',
      '[\n  GitHub, // ours, for now\n  Google,\n]',
    ],
    ['a comment alone', '[\n  // none yet\n]', '[\n  // none yet\n  Google,\n]'],
    ['a remark', '[/* none */]', '[/* none */Google]'],
    [
      'a word about types',
      '[GitHub] satisfies Provider[]',
      '[GitHub, Google] satisfies Provider[]',
    ],
    ['the line ends of Windows', '[\r\n  GitHub,\r\n]', '[\r\n  GitHub,\r\n  Google,\r\n]'],
  ])('keeps %s', async (_, before, after) => {
    const isOfWindows = before.includes('\r')
    const text = (list: string) =>
      AUTH.replaceAll('\n', isOfWindows ? '\r\n' : '\n').replace('[GitHub]', list)
    const project = createProject({ ...NEXT, 'auth.ts': text(before) })
    await project.run('add', 'google')
    expect(project.read('auth.ts').replace(/import Google .*\r?\n/, '')).toBe(text(after))
  })

  it('leaves a comment behind an import where it is', async () => {
    const text = AUTH.replace(`/github'\n`, `/github' // eslint-disable-line\n`)
    const project = createProject({ ...NEXT, 'auth.ts': text })
    await project.run('add', 'google')
    expect(project.read('auth.ts')).toContain(
      `/github' // eslint-disable-line\nimport Google from '@siteauth/next/providers/google'\n`,
    )
  })

  it('gives it another name if that one is taken', async () => {
    const project = createProject({
      ...NEXT,
      'auth.ts': `import { Google } from './icons'\n${AUTH}`,
    })
    await project.run('add', 'google')
    expect(project.read('auth.ts')).toContain('[GitHub, GoogleProvider]')
  })

  it('changes the list of the application, not that of a test or the proxy', async () => {
    const other = AUTH.replace('[GitHub]', '[]')
    const files = { '__tests__/auth.ts': other, 'proxy.ts': other, 'setup/sign-in.ts': AUTH }
    const project = createProject({ 'package.json': '{}', ...files })
    await project.run('add', 'google')
    expect(project.read('setup/sign-in.ts')).toContain('[GitHub, Google]')
  })

  it('hides no variable that another file sets', async () => {
    const project = createProject({ ...NEXT, '.env': 'AUTH_GOOGLE_ID=1\nAUTH_GOOGLE_SECRET=2\n' })
    await project.run('add', 'google')
    expect(existsSync(join(project.folder, '.env.local'))).toBe(false)
  })
})
