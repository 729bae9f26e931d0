import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import siteAuth, { type ImportSource, type Middleware, type NuxtLike } from '@siteauth/nuxt'
import { afterEach, beforeEach, expect, it } from 'vitest'

let rootDir: string
beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'siteauth-nuxt-'))
  mkdirSync(join(rootDir, 'server/utils'), { recursive: true })
})
afterEach(() => rmSync(rootDir, { recursive: true }))

interface Hooks {
  sources: ImportSource[]
  middleware: Middleware[]
}

/** Has the module set up an application, in which there may be middleware already. */
function setUp(
  options: Partial<NuxtLike['options']> = {},
  { sources, middleware }: Hooks = { sources: [], middleware: [] },
): NuxtLike['options'] {
  const nuxt = {
    hook: (name: string, run: (given: unknown) => void) =>
      run(name === 'imports:sources' ? sources : { middleware }),
    options: {
      rootDir,
      buildDir: join(rootDir, '.nuxt'),
      serverDir: join(rootDir, 'server'),
      app: { baseURL: '/' },
      build: { templates: [] },
      plugins: [],
      serverHandlers: [],
      nitro: {},
      ...options,
    },
  } as NuxtLike
  siteAuth({}, nuxt)
  return nuxt.options
}

it('serves what server/utils/auth.ts exports', () => {
  const file = join(rootDir, 'server/utils/auth.ts')
  writeFileSync(file, '')
  const { serverHandlers, nitro } = setUp()
  const handler = serverHandlers.find(({ middleware }) => middleware)?.handler ?? ''
  expect(nitro.virtual?.[handler]).toContain(JSON.stringify(file))
  const plugin = nitro.plugins?.[0] ?? ''
  expect(nitro.virtual?.[plugin]).toContain('basePath: "/auth"')
})

it('has no links to the endpoints prerendered, below app.baseURL', () => {
  writeFileSync(join(rootDir, 'server/utils/auth.ts'), '')
  const { nitro } = setUp({ app: { baseURL: '/shop/' } })
  expect(nitro.prerender?.ignore).toEqual(['/shop/auth'])
})

it('has no platform keep the endpoints, whatever the rule for all pages, below app.baseURL', () => {
  writeFileSync(join(rootDir, 'server/utils/auth.ts'), '')
  const rules = { '/**': { isr: true }, '/auth/**': { cors: true } }
  const { nitro } = setUp({ app: { baseURL: '/shop/' }, nitro: { routeRules: rules } })
  expect(nitro.routeRules).toEqual({ ...rules, '/auth/**': { cors: true, isr: false } })
})

it('says what is missing, but not when packages are installed', () => {
  expect(() => setUp()).toThrow('utils/auth.ts')
  expect(setUp({ _prepare: true }).serverHandlers).toEqual([])
})

it('tells pages where the endpoints are', () => {
  const { build, plugins } = setUp({ _prepare: true, app: { baseURL: '/shop/' } })
  const written = build.templates.filter(({ dst }) => plugins.some(each => isOf(each, dst)))
  expect(written.map(({ getContents }) => getContents())).toEqual([
    expect.stringContaining('basePath: "/shop/auth"'),
  ])
})

it('lets pages use its functions without an import', () => {
  const sources: ImportSource[] = []
  setUp({ _prepare: true }, { sources, middleware: [] })
  expect(sources).toEqual([
    { from: '@siteauth/nuxt/app', imports: ['useSession', 'signIn', 'signOut'] },
  ])
})

it('brings a middleware for pages, unless the application has one of that name', () => {
  const none: Middleware[] = []
  setUp({ _prepare: true }, { sources: [], middleware: none })
  expect(none).toMatchObject([{ name: 'signed-in', global: false }])
  const own = [{ name: 'signed-in', path: '/own.ts' }]
  setUp({ _prepare: true }, { sources: [], middleware: own })
  expect(own).toEqual([{ name: 'signed-in', path: '/own.ts' }])
})

function isOf(plugin: string | { src: string }, path: string | undefined): boolean {
  return typeof plugin === 'object' && plugin.src === path
}
