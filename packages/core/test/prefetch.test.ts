import { createAuth } from '@siteauth/core'
import GitHub from '@siteauth/core/providers/github'
import { expect, it } from 'vitest'

const { handle } = createAuth({
  secret: 'a secret of at least thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  providers: [GitHub({ clientId: 'app', clientSecret: 'secret' })],
})
const ask = (path: string, headers: Record<string, string>) =>
  handle(new Request(`https://example.com/auth/${path}`, { headers }))

// A browser asks again for what failed, and Next's router for what it cannot use.
const PREFETCHES: readonly [Record<string, string>, number][] = [
  [{ 'next-router-prefetch': '1' }, 200],
  [{ 'next-router-segment-prefetch': '/_tree' }, 200],
  [{ rsc: '1' }, 200],
  [{ purpose: 'prefetch' }, 503],
  [{ 'sec-purpose': 'prefetch;prerender' }, 503],
  [{ 'x-moz': 'prefetch' }, 503],
]

it.each(PREFETCHES)(
  'leaves no trace of a page that is fetched with %o before anybody wants it',
  async (headers, status) => {
    for (const path of ['signin?callbackUrl=/elsewhere', 'signout', 'callback/github?code=1']) {
      const response = await ask(path, headers)
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.headers.get('cache-control')).toContain('no-store')
    }
  },
)

it('tells a page who is signed in that is rendered before anybody wants it', async () => {
  expect((await ask('session', { 'sec-purpose': 'prefetch;prerender' })).status).toBe(200)
})

it('shows the page when it is wanted', async () => {
  const response = await ask('signin', { 'sec-purpose': 'navigate' })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()).not.toEqual([])
})
