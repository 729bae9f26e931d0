import Credentials from '@siteauth/core/providers/credentials'
import {
  type AuthConfig,
  authHandler,
  getAuthUser,
  initAuthConfig,
  reqWithEnvUrl,
  verifyAuth,
} from '@siteauth/hono'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { Visitor } from '../../core/test/visitor.ts'
import { signInAs } from '../../testing/src/index.ts'

const config: AuthConfig = {
  secret: 'a test secret that is long enough!',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: `${name}` }),
    }),
  ],
}

const ADA = { id: '1', name: 'Ada' }
const DAY = 86_400_000

/** An application as the documentation of `@hono/auth-js` shows it. */
function application(own: AuthConfig = config) {
  return new Hono()
    .use(
      '*',
      initAuthConfig(() => own),
    )
    .use('/api/auth/*', authHandler())
    .use('/api/*', verifyAuth())
    .get('/api/me', c => c.json(c.get('authUser')))
    .get('/', async c => c.text((await getAuthUser(c))?.session.user?.name ?? 'stranger'))
}

async function headersOf(at = new Date()): Promise<{ cookie: string }> {
  return (await signInAs(config, ADA, { url: 'http://localhost', at, env: { NODE_ENV: 'test' } }))
    .headers
}

describe('an application written for @hono/auth-js', () => {
  it('has its endpoints at /api/auth', async () => {
    const providers = await (await application().request('/api/auth/providers')).json()
    expect(providers).toMatchObject({
      credentials: { callbackUrl: 'http://localhost/api/auth/callback/credentials' },
    })
  })

  it('answers strangers 401', async () => {
    const response = await application().request('/api/me')
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized'])
  })

  it('knows who is signed in, with what is in the cookie', async () => {
    const response = await application().request('/api/me', { headers: await headersOf() })
    expect(await response.json()).toMatchObject({
      session: { user: { name: 'Ada' } },
      token: { name: 'Ada' },
    })
    expect(response.headers.get('cache-control')).toContain('private')
  })

  it('renews a session that is due, on an answer that no cache keeps', async () => {
    const headers = await headersOf(new Date(Date.now() - 2 * DAY))
    const response = await application().request('/', { headers })
    expect(await response.text()).toBe('Ada')
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^authjs\.session-token=.+/),
    ])
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('keeps the configurations of two requests apart', async () => {
    const app = new Hono()
      .use(
        '*',
        initAuthConfig(c => ({ ...config, secret: c.req.header('x-secret') ?? 'none' })),
      )
      .get('/', async c => c.text((await getAuthUser(c))?.session.user?.name ?? 'stranger'))
    const headers = await headersOf()
    const own = await app.request('/', { headers: { ...headers, 'x-secret': `${config.secret}` } })
    const other = await app.request('/', {
      headers: { ...headers, 'x-secret': 'the secret of somebody else, long' },
    })
    expect([await own.text(), await other.text()]).toEqual(['Ada', 'stranger'])
  })

  it('answers 503 where the store is down, which is not nobody', async () => {
    const adapter = {
      ...MemoryAdapter(),
      getSessionAndUser: () => Promise.reject(new Error('the store is down')),
    }
    const stored: AuthConfig = { ...config, adapter, session: { strategy: 'database' } }
    const headers = { cookie: 'authjs.session-token=0123456789abcdef0123456789abcdef' }
    const response = await application(stored).request('/api/me', { headers })
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('down')
  })

  it('is told what is missing where nothing was configured', async () => {
    const app = new Hono().use(verifyAuth()).onError((error, c) => c.text(error.message))
    expect(await (await app.request('/')).text()).toContain('initAuthConfig() must be mounted')
  })

  it('can move a request to the address that visitors see', () => {
    const moved = reqWithEnvUrl(new Request('http://inside/a?b=c'), 'https://example.com/api/auth')
    expect(moved.url).toBe('https://example.com/a?b=c')
  })

  it('counts attempts though the configuration is made anew for each request', async () => {
    const app = new Hono()
      .use(
        '*',
        initAuthConfig(() => ({
          ...config,
          basePath: '/auth',
          limits: true,
          clientAddress: { header: 'x-test-address' },
          providers: [Credentials({ credentials: { username: {} }, authorize: () => null })],
        })),
      )
      .use('/auth/*', authHandler())
    // Each time in a new browser.
    const guess = () => {
      const visitor = new Visitor(async request => app.request(request))
      return visitor.post('/callback/credentials', { username: 'ann' })
    }
    for (let count = 0; count < 5; count++) expect((await guess()).status).toBe(302)
    expect((await guess()).status).toBe(429)
  })
})
