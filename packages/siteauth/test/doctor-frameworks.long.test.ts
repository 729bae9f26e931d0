import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../src/lib/doctor/examine.ts'
import { createProject, type Files, SECRET } from './command-line.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The applications that run in tests, one for each framework in either folder. */
const APPLICATIONS = ['conformance', 'examples'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .filter(path => readdirSync(join(ROOT, path)).includes('package.json')),
)

const FRAMEWORKS = [
  'astro',
  'express',
  'fastify',
  'hono',
  'nestjs',
  'next',
  'nuxt',
  'react-router',
  'solid-start',
  'sveltekit',
  'tanstack-start',
]

/** What is said of a project whose variables are set, and what providers have to know. */
async function diagnose(project: ReturnType<typeof createProject>) {
  const url = 'AUTH_URL=http://localhost:3000\n'
  project.write({ '.env': `${url}AUTH_SECRET=${SECRET}\nAUTH_GITHUB_ID=Iv1.8a61f9b3a7aba766\n` })
  project.write({ '.env.local': 'AUTH_GITHUB_SECRET=72aa831d9ce1c0a5e9f3b2\n' })
  const { code, output } = await project.run('doctor', '--offline', '--json')
  const { findings, callbackUrls } = JSON.parse(output) as Diagnosis
  return { code, codes: findings.map(each => `${each.code}: ${each.what}`), callbackUrls }
}

function copyOf(path: string) {
  const project = createProject()
  const skipped = /(?:^|\/)(?:node_modules|dist|bench|\.\w[\w-]*)$/
  const filter = (from: string) => !skipped.test(from.slice(ROOT.length))
  cpSync(join(ROOT, path), project.folder, { recursive: true, filter })
  return project
}

describe('siteauth doctor, of the applications that run in tests', () => {
  it('has two applications of every framework to look at', () => {
    expect(APPLICATIONS).toEqual(
      expect.arrayContaining(
        FRAMEWORKS.flatMap(name => [`conformance/${name}`, `examples/${name}`]),
      ),
    )
  })

  it.each(APPLICATIONS)('finds the code that uses SiteAuth in %s', async path => {
    const { codes } = await diagnose(copyOf(path))
    expect(codes.filter(each => /^(?:no-configuration|left-over)/.test(each))).toEqual([])
  })

  it.each(FRAMEWORKS)('finds nothing wrong with the example for %s', async name => {
    const { code, codes } = await diagnose(copyOf(`examples/${name}`))
    expect(codes).toEqual([])
    expect(code).toBe(0)
  })

  it.each(FRAMEWORKS)('says what GitHub has to know of an application for %s', async name => {
    const text = readFileSync(join(ROOT, 'docs/eight-lines', `${name}.ts`), 'utf8')
    const { callbackUrls } = await diagnose(
      createProject({ 'package.json': '{}', 'auth.ts': text }),
    )
    const path = /^(?:next|solid-start)$/.test(name) ? '/api/auth' : '/auth'
    expect(callbackUrls).toEqual({ github: `http://localhost:3000${path}/callback/github` })
  })

  it.each(FRAMEWORKS)('finds a fault in the configuration for %s', async name => {
    const text = readFileSync(join(ROOT, 'docs/eight-lines', `${name}.ts`), 'utf8')
    const faulty = text.replace('providers: [GitHub]', 'providers: [GitHub, GitHub]')
    const manifest = { dependencies: { [`@siteauth/${name}`]: '0.41.3' } }
    const files: Files = { 'package.json': JSON.stringify(manifest), 'auth.ts': faulty }
    const { codes } = await diagnose(createProject(files))
    expect(codes.join('\n')).toContain('repeated-provider-id')
  })
})

describe('siteauth doctor, of what is called as in Auth.js', () => {
  it.each<[string, string, string]>([
    ['@siteauth/sveltekit', 'SvelteKitAuth({ providers: [GitHub] })', '/auth'],
    ['@auth/sveltekit', 'SvelteKitAuth(() => ({ providers: [GitHub] }))', '/auth'],
    ['@siteauth/solid-start', "SolidAuth({ prefix: '/own', providers: [GitHub] })", '/own'],
    ['@siteauth/hono', 'initAuthConfig(() => ({ providers: [GitHub] }))', '/api/auth'],
    [
      '@siteauth/nestjs',
      'SiteAuthModule.forRootAsync({ inject: [], useFactory: () => ({ providers: [GitHub] }) })',
      '/auth',
    ],
  ])('reads the configuration that %s is given by %s', async (module, call, path) => {
    const [name = ''] = call.split(/[.(]/)
    const { callbackUrls } = await diagnose(
      createProject({
        'package.json': '{}',
        'a.ts': `import { ${name} } from '${module}'\nimport GitHub from '@siteauth/core/providers/github'\nexport const a = ${call}\n`,
      }),
    )
    expect(callbackUrls).toEqual({ github: `http://localhost:3000${path}/callback/github` })
  })

  it('sends a project of Auth.js whose configuration it does not find to from-authjs', async () => {
    const project = createProject({ 'package.json': '{"dependencies":{"@auth/sveltekit":"1"}}' })
    expect((await project.run('doctor', '--offline')).output).toContain('siteauth from-authjs')
  })

  it('names what is left of Auth.js in packages and in components, but no alias of ours', async () => {
    const { codes, code } = await diagnose(
      createProject({
        'package.json':
          '{"dependencies":{"@siteauth/sveltekit":"0.41.3","@hono/auth-js":"1","next-auth":"npm:@siteauth/next@0.41.3"}}',
        'src/auth.ts': `import { SiteAuth } from '@siteauth/sveltekit'\nimport { signIn } from 'next-auth/react'\nexport const auth = SiteAuth({ providers: [] })\n`,
        'src/routes/+page.svelte': `<script>\nimport { SignIn } from '@auth/sveltekit/components'\n</script>\n`,
      }),
    )
    const left = codes.filter(each => each.startsWith('left-over-authjs'))
    expect(left).toHaveLength(2)
    expect(left.join('\n')).toMatch(/@hono\/auth-js is still installed/)
    expect(left.join('\n')).toMatch(/\+page\.svelte still imports @auth\/sveltekit\/components/)
    expect(code).not.toBe(0)
  })
})
