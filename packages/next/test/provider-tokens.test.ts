import SiteAuth, { type NextAuthConfig } from '@siteauth/next'
import type { NextFetchEvent } from 'next/server.js'
import { NextRequest } from 'next/server.js'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { createRotatingProvider } from '../../core/test/tokens/rotating-provider.ts'
import { Visitor } from '../../core/test/visitor.ts'

const ORIGIN = 'https://example.com'
const HOUR = 3_600_000
const COOKIE = '__Host-siteauth.tokens.op'

/** An application, somebody who has signed in, and what its proxy answers them. */
async function application(options: Partial<NextAuthConfig> = {}) {
  const provider = createRotatingProvider()
  const clock = { now: Date.now() }
  const { auth, handlers } = SiteAuth({
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    providers: [provider.config()],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    ports: { now: () => clock.now, fetch: provider.fetch },
    account: { storeTokensInCookie: true },
    ...options,
  })
  const visitor = new Visitor(async request => {
    const asked = new NextRequest(request)
    if (asked.nextUrl.pathname.startsWith('/api/auth/')) {
      return request.method === 'POST' ? handlers.POST(asked) : handlers.GET(asked)
    }
    return (await auth(asked, {} as NextFetchEvent)) as Response // what a proxy answers
  }, `${ORIGIN}/api/auth`)
  const started = await visitor.post('/signin/op')
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  await visitor.get(`/callback/op?${new URLSearchParams({ code: 'ada', state })}`)
  return { provider, clock, visitor, visit: () => visitor.send(`${ORIGIN}/page`) }
}

it('the proxy leaves tokens alone that are good for a while', async () => {
  const { provider, visit } = await application()
  const response = await visit()
  expect(response.headers.getSetCookie()).toEqual([])
  expect(provider.refreshes()).toBe(0)
})

it('the proxy refreshes ahead, for the browser and for the page behind it', async () => {
  const { provider, clock, visitor, visit } = await application()
  const before = visitor.cookies.get(COOKIE) ?? ''
  clock.now += HOUR - 30_000
  const response = await visit()
  const after = visitor.cookies.get(COOKIE) ?? ''
  expect(after).not.toBe(before)
  expect(response.headers.get('x-middleware-request-cookie')).toContain(`${COOKIE}=${after}`)
  expect(response.headers.get('cache-control')).toContain('no-store')
  await visit()
  expect(provider.refreshes()).toBe(1)
})

it('tabs that bring the same cookie to the proxy get the same tokens', async () => {
  const { provider, clock, visit } = await application()
  clock.now += HOUR
  await Promise.all(Array.from({ length: 20 }, visit))
  expect(provider.refreshes()).toBe(1)
})

it('the proxy lets people pass whose provider is down, or has ended the grant', async () => {
  const { provider, clock, visit } = await application()
  provider.ways.answer = async () => new Response('busy', { status: 503 })
  clock.now += HOUR
  expect((await visit()).headers.get('x-middleware-next')).toBe('1')
  provider.ways.answer = undefined
  provider.endGrants()
  expect((await visit()).headers.get('x-middleware-next')).toBe('1')
})

it('the proxy asks nobody where tokens are in a store', async () => {
  const { provider, clock, visit } = await application({ adapter: MemoryAdapter() })
  clock.now += HOUR
  await visit()
  expect(provider.refreshes()).toBe(0)
})
