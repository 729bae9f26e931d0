import { ServerAuth, SiteAuth } from '@siteauth/express'
import { describe, expect, it, vi } from 'vitest'
import { configure, sendRaw, serve, versions } from './server.ts'

const page = { headers: { accept: 'text/html' }, redirect: 'manual' } as const

describe('a fault of the configuration', () => {
  it('is logged when the server starts, before anybody visits it', async () => {
    const config = configure({ secret: '' })
    ServerAuth(config)
    ServerAuth(config) // mounted twice
    await vi.waitFor(() => expect(config.errors.map(({ name }) => name)).toEqual([NO_SECRET]))
  })

  it('is thrown at once where there is none at all', () => {
    expect(() => ServerAuth(undefined as never)).toThrow(/needs a configuration/)
  })

  it('is none if the environment was completed while modules were loaded', async () => {
    const config = configure({ secret: undefined })
    ServerAuth(config)
    vi.stubEnv('AUTH_SECRET', 'a test secret that is long enough!')
    await new Promise(resolve => setImmediate(resolve))
    expect(config.errors).toEqual([])
  })

  it('brings no warning before the configuration is used', async () => {
    const config = configure({ secret: 'short' })
    const origin = await serve(versions[1].express().use('/auth', ServerAuth(config)))
    expect(config.warnings).toEqual([])
    await fetch(`${origin}/auth/session`)
    expect(config.warnings).toEqual(['short-secret'])
  })
})

const NO_SECRET = 'MissingSecretError'

for (const { name, express, major } of versions) {
  describe(name, () => {
    const https = { host: 'app.example.com', 'x-forwarded-proto': 'https' }

    it('warns once of a proxy that says HTTPS and is not trusted', async () => {
      const config = configure()
      const origin = await serve(express().use('/auth', ServerAuth(config)))
      for (const path of ['session', 'csrf']) await sendRaw(`${origin}/auth/${path}`, https)
      expect(config.warnings).toEqual(['untrusted-proxy'])
    })

    it.each([
      ['the proxy is trusted', 'loopback', https, {}],
      ['it says http', undefined, { ...https, 'x-forwarded-proto': 'http' }, {}],
      ['AUTH_URL says where the site is', undefined, https, { AUTH_URL: 'https://example.com' }],
    ])('says nothing of a proxy where %s', async (_where, trusted, headers, env) => {
      for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
      const config = configure()
      const app = express().set('trust proxy', trusted ?? false)
      const origin = await serve(app.use('/auth', ServerAuth(config)))
      await sendRaw(`${origin}/auth/session`, headers)
      expect(config.warnings).toEqual([])
    })

    it('says that the endpoints were forgotten, once, where a guard leads to them', async () => {
      const config = configure()
      const auth = SiteAuth(config)
      const origin = await serve(express().use('/account', auth.requireSession()))
      for (let time = 0; time < 2; time++) await fetch(`${origin}/account`, page)
      expect(config.warnings).toEqual(['endpoints-not-mounted'])
    })

    it.each([
      ['they are there', {}, true, 'test'],
      ['people sign in elsewhere', { pages: { signIn: '/login' } }, false, 'test'],
      ['another application may have them', {}, false, 'production'],
    ])('says nothing of forgotten endpoints where %s', async (_where, over, isServed, mode) => {
      vi.stubEnv('NODE_ENV', mode)
      const config = configure({ trustHost: ['app.example.com'], ...over })
      const app = express()
      const auth = SiteAuth(config)
      if (isServed) app.use('/auth', auth.handler)
      const origin = await serve(app.use('/account', auth.requireSession()))
      await fetch(`${origin}/account`, page)
      expect(config.warnings).toEqual([])
    })

    it('warns of a basePath that a wildcard cannot follow', async () => {
      const config = configure({ basePath: '/login' })
      const wildcard = major === 4 ? '/auth/*' : '/auth/*splat'
      const origin = await serve(express().use(wildcard, ServerAuth(config)))
      expect((await fetch(`${origin}/auth/session`)).status).toBe(404)
      expect(config.warnings).toEqual(['mount-basepath-mismatch'])
    })

    it('says in development where the endpoints are', async () => {
      vi.stubEnv('NODE_ENV', 'development')
      const config = configure({ basePath: '/login' })
      const origin = await serve(express().use(ServerAuth(config)))
      const missed = await fetch(`${origin}/auth/signin`, page)
      expect([missed.status, await missed.text()]).toEqual([
        404,
        expect.stringContaining('under /login'),
      ])
    })
  })
}
