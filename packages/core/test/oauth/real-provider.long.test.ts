import * as jose from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Profile } from '../../src/lib/base/user.ts'
import type { OIDCConfig } from '../../src/lib/providers/oauth.ts'
import { type RealProvider, startRealProvider } from './real-provider.ts'
import { createRelyingParty } from './relying-party.ts'

const CALLBACK = 'https://app.test/auth/callback/op'
const SECRET = 'a client secret: long enough & odd+ /%'
const algorithms = ['RS256', 'ES256', 'PS256', 'EdDSA', 'Ed25519'] as const
const keyPair = jose.generateKeyPair('ES256', { extractable: true })

let op: RealProvider
let strict: RealProvider

beforeAll(async () => {
  const { publicKey } = await keyPair
  const jwks = { keys: [{ ...(await jose.exportJWK(publicKey)), kid: 'rp', alg: 'ES256' }] }
  const secret = { client_secret: SECRET }
  op = await startRealProvider({
    redirectUris: [CALLBACK],
    clients: [
      { client_id: 'basic', ...secret },
      { client_id: 'post', ...secret, token_endpoint_auth_method: 'client_secret_post' },
      { client_id: 'secret-jwt', ...secret, token_endpoint_auth_method: 'client_secret_jwt' },
      {
        client_id: 'key-jwt',
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks,
      },
      { client_id: 'public', token_endpoint_auth_method: 'none' },
      { client_id: 'par', ...secret, require_pushed_authorization_requests: true },
      { client_id: 'signed', ...secret, userinfo_signed_response_alg: 'ES256' },
      { client_id: 'hmac', ...secret, id_token_signed_response_alg: 'HS256' },
      ...algorithms.map(alg => ({
        client_id: `alg-${alg}`,
        ...secret,
        id_token_signed_response_alg: alg,
      })),
    ],
  })
  strict = await startRealProvider({
    redirectUris: [CALLBACK],
    clients: [{ client_id: 'basic', ...secret }],
    requirePushedRequests: true,
  })
}, 60_000)

afterAll(async () => {
  await op?.close()
  await strict?.close()
})

function relyingParty(clientId: string, over: Partial<OIDCConfig<Profile>> = {}, server = op) {
  return createRelyingParty(
    {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: server.issuer,
      clientId,
      clientSecret: SECRET,
      ...over,
    },
    { callbackUrl: CALLBACK },
  )
}

async function signIn(clientId: string, over: Partial<OIDCConfig<Profile>> = {}, server = op) {
  const rp = relyingParty(clientId, over, server)
  const url = await rp.start()
  const landing = await server.visit(url)
  return { ...(await rp.finish(landing.parameters)), url, landing, cookies: rp.cookies }
}

describe('sign-in at a certified provider', () => {
  it('by client_secret_basic, with a secret that must be encoded', async () => {
    const { user, account, landing, cookies } = await signIn('basic')
    expect(user).toMatchObject({ name: 'ada', email: 'ada@example.test' })
    expect(account).toMatchObject({
      provider: 'op',
      providerAccountId: 'ada',
      token_type: 'bearer',
      scope: 'openid profile email',
      expires_at: expect.any(Number),
    })
    expect(landing.parameters.get('iss')).toBe(op.issuer)
    expect(cookies).toEqual({})
  })

  it('by client_secret_post', async () => {
    const client = { token_endpoint_auth_method: 'client_secret_post' }
    expect((await signIn('post', { client })).account.providerAccountId).toBe('ada')
  })

  it('by client_secret_jwt', async () => {
    const client = { token_endpoint_auth_method: 'client_secret_jwt' }
    expect((await signIn('secret-jwt', { client })).account.providerAccountId).toBe('ada')
  })

  it('by private_key_jwt', async () => {
    const { privateKey } = await keyPair
    const { account } = await signIn('key-jwt', {
      client: { token_endpoint_auth_method: 'private_key_jwt' },
      token: { clientPrivateKey: { key: privateKey, kid: 'rp' } },
    })
    expect(account.providerAccountId).toBe('ada')
  })

  it('as a public client with PKCE', async () => {
    const client = { token_endpoint_auth_method: 'none' }
    const { account } = await signIn('public', { client, clientSecret: '' })
    expect(account.providerAccountId).toBe('ada')
  })

  it.each(algorithms)('with an id_token signed by %s', async alg => {
    const { account } = await signIn(`alg-${alg}`)
    const { alg: used } = jose.decodeProtectedHeader(account.id_token ?? '')
    expect(used).toBe(alg)
  })

  it.each([
    ['the client says so', { id_token_signed_response_alg: 'HS256' }],
    ['the server lists it', {}],
  ])('with an id_token signed by the client secret, where %s', async (_where, client) => {
    expect((await signIn('hmac', { client })).account.providerAccountId).toBe('ada')
  })

  it('with the profile from userinfo', async () => {
    const { profile } = await signIn('basic', { idToken: false })
    expect(profile).toEqual({
      sub: 'ada',
      name: 'ada',
      email: 'ada@example.test',
      email_verified: true,
    })
  })

  it('with a profile that is signed', async () => {
    const client = { userinfo_signed_response_alg: 'ES256' }
    const { profile } = await signIn('signed', { idToken: false, client })
    expect(profile).toMatchObject({ sub: 'ada', aud: 'signed' })
  })

  it('by a posted form', async () => {
    const authorization = { params: { response_mode: 'form_post' } }
    const { landing, account } = await signIn('basic', { authorization })
    expect(landing).toMatchObject({ method: 'POST' })
    expect(landing.url.href).toBe(CALLBACK)
    expect(account.providerAccountId).toBe('ada')
  })

  it('by a pushed request, where the server takes nothing else', async () => {
    const { url, account } = await signIn('basic', {}, strict)
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect(account.providerAccountId).toBe('ada')
  })

  it('by a pushed request, where the client registered so', async () => {
    const client = { require_pushed_authorization_requests: true }
    const { url, account } = await signIn('par', { client })
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect(account.providerAccountId).toBe('ada')
  })

  it('with a hint of who it is', async () => {
    const rp = relyingParty('basic')
    const url = await rp.start({ visitor: { login_hint: 'grace', ui_locales: 'de' } })
    expect(url.searchParams.get('login_hint')).toBe('grace')
    const { parameters } = await op.visit(url, 'grace')
    expect((await rp.finish(parameters)).account.providerAccountId).toBe('grace')
  })

  it('that must be recent, and is', async () => {
    const authorization = { params: { max_age: 300 } }
    expect((await signIn('basic', { authorization })).account.providerAccountId).toBe('ada')
  })

  it('by two tabs at once', async () => {
    const rp = relyingParty('basic')
    const [first, second] = [await rp.start(), await rp.start()]
    const landings = await Promise.all([op.visit(first), op.visit(second, 'grace')])
    const [one, two] = landings.map(({ parameters }) => parameters)
    expect((await rp.finish(two ?? first.searchParams)).account.providerAccountId).toBe('grace')
    expect((await rp.finish(one ?? first.searchParams)).account.providerAccountId).toBe('ada')
  })

  it('of two people gives two users, whose ids stay', async () => {
    const rp = relyingParty('basic')
    const idOf = async (login: string) =>
      (await rp.finish((await op.visit(await rp.start(), login)).parameters)).user.id
    const ada = await idOf('ada')
    expect(await idOf('grace')).not.toBe(ada)
    expect(await idOf('ada')).toBe(ada)
  })
})

describe('a certified provider', () => {
  it('whose keys were rotated while a visitor was there signs in', async () => {
    const rp = relyingParty('basic')
    await rp.finish((await op.visit(await rp.start())).parameters)
    const url = await rp.start()
    await op.rotateKeys()
    const { parameters } = await op.visit(url)
    expect((await rp.finish(parameters)).account.providerAccountId).toBe('ada')
  })

  it('whose visitor declines is reported', async () => {
    const rp = relyingParty('basic')
    const { parameters } = await op.decline(await rp.start())
    await expect(rp.finish(parameters)).rejects.toMatchObject({
      type: 'OAuthCallbackError',
      cause: { error: 'access_denied', provider: 'op' },
    })
    expect(rp.cookies).toEqual({})
  })

  it('that is given a code twice, or the wrong secret, or somebody else’s code, refuses', async () => {
    const rp = relyingParty('basic')
    const { parameters } = await op.visit(await rp.start())
    const { cookies } = rp
    const saved = { ...cookies }
    await rp.finish(parameters)
    Object.assign(cookies, saved)
    await expect(rp.finish(parameters)).rejects.toMatchObject({ cause: { error: 'invalid_grant' } })

    const wrong = relyingParty('basic', { clientSecret: 'wrong' })
    const answer = await op.visit(await wrong.start())
    await expect(wrong.finish(answer.parameters)).rejects.toMatchObject({
      cause: { error: 'invalid_client' },
    })

    const victim = await op.visit(await rp.start(), 'grace')
    const attacker = await op.visit(await rp.start(), 'mallory')
    attacker.parameters.set('code', victim.parameters.get('code') ?? '')
    await expect(rp.finish(attacker.parameters)).rejects.toMatchObject({
      cause: { error: 'invalid_grant' },
    })
  })
})
