import { AccessTokenError, SiteAuth } from '@siteauth/express'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { createGate } from '../../core/test/tokens/people.ts'
import { API, createRotatingProvider } from '../../core/test/tokens/rotating-provider.ts'
import { configure, serve, versions, visit } from './server.ts'

const HOUR = 3_600_000

describe.each(versions)('$name: tokens of a provider', ({ express }) => {
  async function start(kept: 'in a store' | 'in a cookie') {
    const provider = createRotatingProvider()
    const clock = { now: Date.now() }
    const config = configure({
      providers: [provider.config()],
      ports: { now: () => clock.now, fetch: provider.fetch },
      ...(kept === 'in a store'
        ? { adapter: MemoryAdapter() }
        : { account: { storeTokensInCookie: true } }),
    })
    const app = express()
    const auth = SiteAuth(config)
    app.use('/auth', auth.handler)
    app.get('/token', async (req, res) => {
      // Express 4 knows nothing of promises.
      await auth.accounts.getAccessToken(req, 'op').then(
        ({ accessToken }) => res.json(accessToken),
        error => res.status(403).json(error instanceof AccessTokenError ? error.code : 'other'),
      )
    })
    app.get('/late', async (req, res) => {
      res.write('"')
      const answer = auth.accounts.getAccessToken(req, 'op').then(
        ({ accessToken }) => accessToken,
        error => error.code,
      )
      res.end(`${await answer}"`)
    })
    const arrived = createGate()
    const left = new Promise<string>(resolve => {
      app.get('/left', (req, res) => {
        res.once('close', async () => {
          const answer = auth.accounts.getAccessToken(req, 'op')
          resolve(await answer.then(({ accessToken }) => accessToken).catch(error => error.code))
        })
        arrived.open()
      })
    })
    app.get('/me', async (req, res) => {
      const answer = await auth.accounts.fetch(req, 'op', API)
      res.status(answer.status).json(await answer.json())
    })
    app.get('/accounts', async (req, res) => void res.json(await auth.accounts.list(req)))
    app.post('/unlink', express.json(), async (req, res) => {
      res.json(await auth.accounts.unlink(req, req.body))
    })
    const origin = await serve(app)
    const visitor = visit(`${origin}/auth`)
    const started = await visitor.post('/signin/op')
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await visitor.get(`/callback/op?${new URLSearchParams({ code: 'ada', state })}`)
    const ask = async (path: string) => (await visitor.get(origin + path)).json()
    /** What a handler gets whose visitor leaves before it asks. */
    const leave = async () => {
      const controller = new AbortController()
      const { signal } = controller
      const headers = { cookie: visitor.cookieHeader() }
      const asked = fetch(`${origin}/left`, { signal, headers }).catch(() => null)
      await arrived.passed
      controller.abort()
      await asked
      return left
    }
    return { provider, clock, visitor, origin, ask, leave }
  }

  it.each(['in a store', 'in a cookie'] as const)('are refreshed, %s', async kept => {
    const { provider, clock, ask } = await start(kept)
    expect(await ask('/token')).toBe('access-ada-1')
    clock.now += HOUR
    expect(await ask('/token')).toBe('access-ada-2')
    expect(await ask('/token')).toBe('access-ada-2')
    clock.now += HOUR
    expect(await ask('/me')).toMatchObject({ id: 'ada' })
    expect(provider.refreshes()).toBe(2)
    provider.endGrants()
    clock.now += HOUR
    expect(await ask('/token')).toBe('invalid_grant')
  })

  it('are not refreshed where the cookie could not be set any more', async () => {
    const { provider, clock, ask } = await start('in a cookie')
    clock.now += HOUR
    expect(await ask('/late')).toBe('store_read_only')
    expect(provider.refreshes()).toBe(0)
  })

  it('are not refreshed for a browser that has left, and could not keep them', async () => {
    const { provider, clock, leave } = await start('in a cookie')
    clock.now += HOUR
    expect(await leave()).toBe('store_read_only')
    expect(provider.refreshes()).toBe(0)
  })

  it('belong to accounts, which are listed and unlinked but for the last', async () => {
    const { visitor, origin, ask } = await start('in a store')
    expect(await ask('/accounts')).toMatchObject([{ provider: 'op', accountId: 'ada' }])
    const answer = await visitor.send(`${origin}/unlink`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'op', accountId: 'ada' }),
    })
    expect(await answer.json()).toEqual({ unlinked: false, reason: 'only_sign_in_method' })
  })
})
