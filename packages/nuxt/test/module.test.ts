import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import siteAuth, { type NuxtLike } from '@siteauth/nuxt'
import { afterEach, beforeEach, expect, it } from 'vitest'

let rootDir: string
beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'siteauth-nuxt-'))
  mkdirSync(join(rootDir, 'server/utils'), { recursive: true })
})
afterEach(() => rmSync(rootDir, { recursive: true }))

function setUp(options: Partial<NuxtLike['options']> = {}): NuxtLike['options'] {
  const nuxt: NuxtLike = {
    options: {
      rootDir,
      buildDir: join(rootDir, '.nuxt'),
      serverDir: join(rootDir, 'server'),
      app: { baseURL: '/' },
      serverHandlers: [],
      nitro: {},
      ...options,
    },
  }
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
