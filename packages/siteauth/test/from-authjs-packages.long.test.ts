import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { visit } from '../src/lib/code/source.ts'
import { contents, createProject, type Files } from './command-line.ts'

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url))
const NOTHING = 'Nothing of Auth.js is left to move.\n'

/** What each package of Auth.js exports by its `package.json`, but those of next-auth: a provider stands for all. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  '@auth/core': ['', '/adapters', '/errors', '/jwt', '/providers', '/providers/github', '/types'],
  '@auth/express': ['', '/adapters', '/providers', '/providers/github'],
  '@auth/sveltekit': [
    '',
    '/adapters',
    '/client',
    '/components',
    '/providers',
    '/providers/github',
    '/webauthn',
  ],
  '@auth/solid-start': ['', '/adapters', '/client', '/providers', '/providers/github'],
  '@hono/auth-js': ['', '/react'],
  '@auth/qwik': ['', '/adapters', '/providers', '/providers/github'],
  'next-auth': ['', '/adapters', '/jwt', '/middleware', '/next', '/react', '/webauthn'],
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const MANIFESTS: readonly Manifest[] = readdirSync(PACKAGES)
  .map(folder => join(PACKAGES, folder, 'package.json'))
  .filter(existsSync)
  .map(file => JSON.parse(readFileSync(file, 'utf8')) as Manifest) // written by us

function isExported(module: string): boolean {
  const owner = MANIFESTS.find(({ name }) => module === name || module.startsWith(`${name}/`))
  const entry = `.${module.slice(owner?.name.length)}`
  const { exports = {} } = owner ?? {}
  return entry in exports || entry.replace(/providers\/.*/, 'providers/*') in exports
}

async function move(files: Files) {
  const project = createProject(files)
  const { code, output } = await project.run('from-authjs')
  const after = contents(project)
  const second = await project.run('from-authjs')
  expect(contents(project), 'a second run').toEqual(after)
  return { project, code, output, after, second }
}

describe('siteauth from-authjs, with every package of Auth.js', () => {
  const all = Object.entries(MODULES).flatMap(([name, entries]) =>
    entries.map(entry => ({ name, module: name + entry })),
  )

  it.each(all)('moves $module to a module that there is, or says what to do', async each => {
    const { name, module } = each
    const { code, output, after, second } = await move({
      'package.json': JSON.stringify({ dependencies: { [name]: '1' } }),
      'a.ts': `import * as a from '${module}'\n`,
    })
    const [, imported = ''] = /from '(.*)'/.exec(after['a.ts'] ?? '') ?? []
    if (imported !== module) {
      expect(isExported(imported), imported).toBe(true)
      const [, owner = ''] = /^(@siteauth\/[\w-]+)/.exec(imported) ?? []
      expect(JSON.parse(after['package.json'] ?? '').dependencies).toHaveProperty([owner])
      expect(second).toMatchObject({ code: 0, output: NOTHING })
      return
    }
    expect(output).toContain('a.ts:1\n')
    expect(code).toBe(3)
    expect(second.output).not.toContain(NOTHING)
    expect(second.output).toContain('a.ts:1\n')
    expect(second.code).toBe(3)
  })

  it.each(['svelte', 'vue'])('moves the scripts of a component of %s', async extension => {
    const text = `<script lang="ts">\n  import { signIn } from '@auth/sveltekit/client'\n</script>\n\n<p>about @auth/sveltekit/client</p>\n`
    const { after, second } = await move({ [`src/Sign.${extension}`]: text })
    expect(after[`src/Sign.${extension}`]).toBe(text.replace('@auth', '@siteauth'))
    expect(second.output).toBe(NOTHING)
  })

  it('moves the code of a page of Astro that returns a response, and its scripts', async () => {
    const text = `---\nimport { Auth } from '@auth/core'\nif (!Auth) return Astro.redirect('/')\n---\n<p>{Auth}</p>\n<script>\n  import { signIn } from 'next-auth/react'\n  signIn()\n</script>\n<script type="application/ld+json">{ "a": 1 }</script>\n`
    const { after, second } = await move({ 'src/pages/index.astro': text })
    expect(after['src/pages/index.astro']).toBe(
      text
        .replace('@auth/core', '@siteauth/core')
        .replace('next-auth/react', '@siteauth/next/react'),
    )
    expect(second.output).toBe(NOTHING)
  })

  it('adds packages that code is spread over now, in the style of the manifest', async () => {
    const { after } = await move({
      'package.json': `{\n  "dependencies": {\n    "@auth/solid-start": "0.19.3",\n    "solid-js": "1"\n  }\n}\n`,
      'src/auth.ts': `import { SolidAuth } from '@auth/solid-start'\nimport GitHub from '@auth/solid-start/providers/github'\nimport { signIn } from '@auth/solid-start/client'\n`,
    })
    expect(after['package.json']).toBe(
      `{\n  "dependencies": {\n    "@siteauth/solid-start": "^0.41.3",\n    "@siteauth/core": "^0.41.3",\n    "@siteauth/solid": "^0.41.3",\n    "solid-js": "1"\n  }\n}\n`,
    )
    expect(after['src/auth.ts']).toContain(`from '@siteauth/core/providers/github'`)
  })

  it('moves all of a Hono project, and names what its pages cannot import any more', async () => {
    const { after, output, code } = await move({
      'package.json': '{"dependencies":{"@auth/core":"0.41","@hono/auth-js":"1.1","hono":"^4"}}',
      'server.ts': `import { authHandler } from '@hono/auth-js'\nimport GitHub from '@auth/core/providers/github'\n`,
      'app.tsx': `import { SessionProvider, authConfigManager, useOauthPopupLogin } from '@hono/auth-js/react'\n`,
    })
    expect(Object.values(after).join('\n')).not.toMatch(/@auth\/|@hono\/auth-js/)
    expect(after['package.json']).toContain('"@siteauth/react": "^0.41.3"')
    expect(output).toMatch(/app\.tsx:1\n {4}authConfigManager is gone/)
    expect(output).toMatch(/app\.tsx:1\n {4}useOauthPopupLogin is gone/)
    expect(code).toBe(3)
  })

  it.each<[string, string]>([
    ['package.json', '{\n"overrides": { "next-auth": "5" }\n}'],
    ['package.json', '{\n"resolutions": { "a>@auth/core@0.41": "5" }\n}'],
    ['pnpm-workspace.yaml', "catalog:\n  '@hono/auth-js': 1"],
    ['tsconfig.json', '{\n"compilerOptions": { "types": ["@auth/qwik"] }\n}'],
    ['a.svelte', "<p>\n{#await import('@auth/sveltekit/webauthn')}{/await}</p>"],
    ['a.ts', "\nimport 'next-auth/src/lib'"],
  ])('does not call a project moved whose %s still names Auth.js: %s', async (file, text) => {
    const { output, code } = await createProject({ [file]: text }).run('from-authjs')
    expect(output).not.toContain(NOTHING)
    expect(output).toContain(`${file}:2\n`)
    expect(code).toBe(3)
  })

  it('leaves folders alone that an application calls @auth', async () => {
    const files = {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@auth/*": ["./src/auth/*"] } } }',
      'a.ts': `import { a } from '@auth/session'\nimport A from '@auth/pg-adapter'\n`,
    }
    const { after, output, code } = await move(files)
    expect(after).toEqual(files)
    expect([output, code]).toEqual([NOTHING, 0])
  })
})

describe('npm install after siteauth from-authjs', () => {
  it('finds versions of peers that our packages take', async () => {
    const { after } = await move({
      'package.json': JSON.stringify({
        dependencies: {
          '@auth/core': '0.41.3',
          '@simplewebauthn/server': '9.0.3',
          'next-auth': '5.0.0-beta.32',
          next: '^16.0.0',
          nodemailer: '^6.9.0',
          react: '^19.0.0',
        },
        devDependencies: { '@auth/sveltekit': '1.11.3', '@simplewebauthn/browser': '^9.0.1' },
      }),
    })
    const manifest = JSON.parse(after['package.json'] ?? '')
    const ranges: Readonly<Record<string, string>> = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
    }
    const peers = MANIFESTS.filter(({ name }) => name in ranges).flatMap(
      ({ peerDependencies = {} }) => Object.entries(peerDependencies),
    )
    const asked = peers.filter(([name]) => name in ranges)
    expect(asked.map(([name]) => name)).toEqual(
      expect.arrayContaining(['@simplewebauthn/browser', '@simplewebauthn/server', 'nodemailer']),
    )
    const majorOf = (range: string | undefined) => Number(/\d+/.exec(range ?? '')?.[0])
    for (const [name, range] of asked) {
      expect(majorOf(ranges[name]), name).toBeGreaterThanOrEqual(majorOf(range))
      if (/^\^\S+$/.test(range)) expect(majorOf(ranges[name]), name).toBe(majorOf(range))
    }
  })

  it('says where the own code uses what was raised', async () => {
    const { output, second } = await move({
      'package.json':
        '{"dependencies":{"next":"16","next-auth":"5","@simplewebauthn/browser":"^9.0.1","nodemailer":"6"}}',
      'app/add.ts': `import { startRegistration } from '@simplewebauthn/browser'\n`,
      'app/mail.ts': `\nimport { createTransport } from 'nodemailer'\n`,
    })
    expect(output).toMatch(/app\/add\.ts:1\n.*raised from \^9\.0\.1.*optionsJSON/)
    expect(output).toMatch(/app\/mail\.ts:2\n.*raised from 6/)
    expect(second.output).toBe(NOTHING)
  })

  it('keeps versions that fit, and those of a project without a package of ours', async () => {
    const fitting = '{"dependencies":{"@siteauth/next":"0.41.3","@simplewebauthn/server":"14.0.3"}}'
    const without = '{"dependencies":{"@simplewebauthn/server":"^9.0.3","nodemailer":"6"}}'
    for (const text of [fitting, without]) {
      expect((await move({ 'package.json': text })).after['package.json']).toBe(text)
    }
  })
})

it('prints no path of a document that only the repository has', () => {
  const folder = fileURLToPath(new URL('../src/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  )
  const found: string[] = []
  for (const file of files) {
    const { program } = parseSync(file, readFileSync(join(folder, file), 'utf8'))
    visit(program, node => {
      const text =
        node.type === 'Literal'
          ? node.value
          : node.type === 'TemplateElement'
            ? node.value.raw
            : null
      if (typeof text === 'string' && /(?<!https?:\/\/\S*)\bdocs\/[\w${}/-]+/.test(text)) {
        found.push(`${file}: ${text}`)
      }
      return undefined
    })
  }
  expect(files.length).toBeGreaterThan(50)
  expect(found).toEqual([])
})
