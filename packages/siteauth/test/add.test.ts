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
    ['resend', 'docs/guide/email.md'],
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
})
