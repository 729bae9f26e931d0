import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { tokenOf } from './people.ts'

/** Somebody who signed in with an OpenID provider, an hour ago, and what it will say now. */
async function signedInForAnHour(adapter: ReturnType<typeof MemoryAdapter> | undefined) {
  const clock = { now: Date.now() }
  const now = () => clock.now
  const server = await createFakeServer({ now })
  const auth = createTestAuth({
    adapter,
    account: { storeTokensInCookie: true },
    session: { strategy: 'jwt' },
    providers: [
      {
        id: 'op',
        name: 'Provider',
        type: 'oidc',
        issuer: server.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
      },
    ],
    ports: {
      now,
      async fetch(input, init) {
        const body = new URLSearchParams(String(init?.body ?? ''))
        const refreshToken = body.get('refresh_token')
        if (refreshToken === null) return server.fetch(input, init)
        // As if it came with a code: the same server makes the same tokens.
        const redirect_uri = 'https://app.test/'
        const url = new URL(`https://op.test/authorize?redirect_uri=${redirect_uri}`)
        const code = server.authorize(url).get('code') ?? ''
        const asked = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri })
        return server.fetch(input, { ...init, body: asked })
      },
    },
  })
  const refresh_token = crypto.randomUUID()
  server.faults.tokens = tokens => ({ ...tokens, refresh_token })
  const visitor = new Visitor(auth.handle)
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  await visitor.send(`/callback/op?${server.authorize(url)}`)
  clock.now += 3_600_000
  server.faults.tokens = tokens => ({ ...tokens, access_token: 'at-new' })
  return { auth, server, visitor }
}

for (const [kept, adapterOf] of [
  ['a store', () => MemoryAdapter()],
  ['a cookie', () => undefined],
] as const) {
  it(`an id_token that comes with refreshed tokens may be of the same person: ${kept}`, async () => {
    const { auth, visitor } = await signedInForAnHour(adapterOf())
    expect(await tokenOf(auth, visitor)).toBe('at-new')
  })

  it.each([
    ['of somebody else', { sub: 'eve' }],
    ['of another issuer', { iss: 'https://evil.test' }],
    ['for another client', { aud: 'another' }],
  ])(`an id_token %s ends in no token: ${kept}`, async (_, claims) => {
    const { auth, server, visitor } = await signedInForAnHour(adapterOf())
    server.faults.claims = all => ({ ...all, ...claims })
    expect(await tokenOf(auth, visitor)).toBe('refused')
  })
}
