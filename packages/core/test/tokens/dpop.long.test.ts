import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { type RealProvider, startRealProvider } from '../oauth/real-provider.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { keepCookies, requestOf, tokenOf } from './people.ts'

const SECRET = 'a secret of the client, which is long'
let provider: RealProvider

beforeAll(async () => {
  const client = { client_secret: SECRET, dpop_bound_access_tokens: true }
  provider = await startRealProvider({
    clients: [{ ...client, client_id: 'bound' }],
    redirectUris: ['https://app.example.com/auth/callback/op'],
    refreshTokens: { lifetime: 3600, rotates: true },
    dpop: true,
  })
}, 30_000)
afterAll(() => provider.close())

async function signedIn(
  adapter: ReturnType<typeof MemoryAdapter> | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const auth = createTestAuth({
    adapter,
    ports: { fetch },
    account: { storeTokensInCookie: true },
    session: { strategy: 'jwt' },
    providers: [
      {
        id: 'op',
        name: 'Provider',
        type: 'oidc',
        issuer: provider.issuer,
        clientId: 'bound',
        clientSecret: SECRET,
        dpop: true,
        idToken: false, // the profile is asked for with the token
      },
    ],
  })
  const visitor = new Visitor(auth.handle)
  const started = await visitor.post('/signin/op')
  const landing = await provider.visit(new URL(started.headers.get('location') ?? ''))
  await visitor.get(`/callback/op${landing.url.search}`)
  return { auth, visitor }
}

const KEPT = {
  'in a store': () => MemoryAdapter(),
  'in a cookie': () => undefined,
}

describe.each(['in a store', 'in a cookie'] as const)('tokens bound to a key, %s', kept => {
  const url = () => `${provider.issuer}/me`

  it('sign people in, and are used with a proof', async () => {
    const { auth, visitor } = await signedIn(KEPT[kept]())
    expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.test' } })
    const response = await auth.accounts.fetch(requestOf(visitor), 'op', url())
    expect(await response.json()).toMatchObject({ sub: 'ada' })
  })

  it('are of no use without the key', async () => {
    const { auth, visitor } = await signedIn(KEPT[kept]())
    const { accessToken, tokenType } = await auth.accounts.getAccessToken(requestOf(visitor), 'op')
    expect(tokenType).toBe('dpop')
    const stolen = await fetch(url(), { headers: { authorization: `Bearer ${accessToken}` } })
    expect(stolen.status).toBe(401)
  })

  it('are refreshed with the same key', async () => {
    const { auth, visitor } = await signedIn(KEPT[kept]())
    const rejectedToken = await tokenOf(auth, visitor)
    const newer = await tokenOf(auth, visitor, { rejectedToken })
    expect(newer).not.toBe(rejectedToken)
    const request = requestOf(visitor)
    const response = await auth.accounts.fetch(request, 'op', url())
    keepCookies(visitor, auth.takeSetCookies(request))
    expect(await response.json()).toMatchObject({ sub: 'ada' })
  })
})

describe('an API', () => {
  const API = 'https://api.test'

  /** One that is asked with proofs, and answers what it likes. */
  async function withApi(answer: (url: URL) => Response) {
    const asked: { readonly url: string; readonly htu: unknown; readonly token: string | null }[] =
      []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input))
      if (!url.hostname.endsWith('.test')) return globalThis.fetch(input, init)
      const headers = new Headers(init?.headers)
      const proof = headers.get('dpop')
      const htu = proof && decodeJwt(proof)['htu']
      asked.push({ url: url.href, htu, token: headers.get('authorization') })
      return answer(url)
    }
    const { auth, visitor } = await signedIn(MemoryAdapter(), fetch)
    return { asked, ask: () => auth.accounts.fetch(requestOf(visitor), 'op', `${API}/me`) }
  }

  it('that always wants another nonce is asked a few times, and no more', async () => {
    const { asked, ask } = await withApi(
      () =>
        new Response('no', {
          status: 401,
          headers: {
            'dpop-nonce': crypto.randomUUID(),
            'www-authenticate': 'DPoP error="use_dpop_nonce"',
          },
        }),
    )
    expect((await ask()).status).toBe(401)
    expect(asked).toHaveLength(4) // twice with each of two tokens
  })

  it('that redirects gets a proof for the new place, and another origin none', async () => {
    const { asked, ask } = await withApi(({ href, pathname }) => {
      const next: Record<string, string> = { '/me': '/moved', '/moved': 'https://files.test/file' }
      const location = next[pathname]
      return location
        ? new Response(null, { status: 307, headers: { location } })
        : new Response(href)
    })
    expect(await (await ask()).text()).toBe('https://files.test/file')
    expect(asked).toMatchObject([
      { htu: `${API}/me`, token: expect.stringMatching(/^DPoP /) },
      { htu: `${API}/moved`, token: expect.stringMatching(/^DPoP /) },
      { url: 'https://files.test/file', htu: null, token: null },
    ])
  })
})

it('the key of an account is stored sealed', async () => {
  const adapter = MemoryAdapter()
  await signedIn(adapter)
  expect((await adapter.getAccount('ada', 'op'))?.dpop_key).toMatch(/^sa1\./)
})

it('nobody signs in with tokens that should be bound to a key, and are not', async () => {
  const server = await createFakeServer()
  const auth = createTestAuth({
    providers: [
      {
        id: 'op',
        name: 'Provider',
        type: 'oidc',
        issuer: server.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        dpop: true,
      },
    ],
    ports: { fetch: server.fetch },
  })
  const visitor = new Visitor(auth.handle)
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  await visitor.get(`/callback/op?${server.authorize(url)}`)
  expect(await visitor.session()).toBeNull()
  expect(auth.errors.map(({ message }) => message).join()).toContain('bound to a key')
})
