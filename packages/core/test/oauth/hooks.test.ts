import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { AuthError, OAuthCallbackError } from '../../src/lib/base/errors.ts'
import type { Profile } from '../../src/lib/base/user.ts'
import { callbackParameters } from '../../src/lib/oauth/token/exchange-code.ts'
import { customFetch, type OAuth2Config, type OIDCConfig } from '../../src/lib/providers/oauth.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from './fake-server.ts'
import { createRelyingParty } from './relying-party.ts'

const plain: OAuth2Config<Profile> = {
  id: 'op',
  name: 'OP',
  type: 'oauth',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  authorization: 'https://op.test/authorize?scope=profile',
  token: 'https://op.test/token',
  userinfo: 'https://op.test/userinfo',
}
const openId: OIDCConfig<Profile> = {
  id: 'op',
  name: 'OP',
  type: 'oidc',
  issuer: 'https://op.test',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
}

async function setUp(config: OAuth2Config<Profile> | OIDCConfig<Profile>) {
  const op = await createFakeServer({ advertiseIss: config.type === 'oidc' })
  const rp = createRelyingParty(config, { fetch: op.fetch })
  const signIn = async () => rp.finish(op.authorize(await rp.start()))
  const tokenRequest = () => op.requests.find(({ url }) => url.pathname === '/token')
  return { op, rp, signIn, tokenRequest }
}

describe('plain OAuth', () => {
  it('takes the profile from userinfo, and asks for no metadata', async () => {
    const { op, signIn } = await setUp(plain)
    const { user, account } = await signIn()
    expect(user.name).toBe('Ada from userinfo')
    expect(account).toMatchObject({ type: 'oauth', providerAccountId: 'ada' })
    expect(op.requests.map(({ url }) => url.pathname)).toEqual(['/token', '/userinfo'])
    expect(op.requests[1]?.headers.get('user-agent')).toBe('SiteAuth')
    expect(op.requests[1]?.headers.get('accept')).toBe('application/json')
  })

  it('hands an id_token on that it did not ask for, and does not look into it', async () => {
    const { op, signIn } = await setUp(plain)
    op.faults.idToken = () => 'whatever'
    expect((await signIn()).account.id_token).toBe('whatever')
  })

  it('ignores an issuer in the answer where none is known, and compares it where one is', async () => {
    const unknown = await setUp(plain)
    const answer = unknown.op.authorize(await unknown.rp.start())
    answer.set('iss', 'https://op.test')
    await unknown.rp.finish(answer)
    const known = await setUp({ ...plain, issuer: 'https://op.test' })
    const wrong = known.op.authorize(await known.rp.start())
    wrong.set('iss', 'https://evil.test')
    await expect(known.rp.finish(wrong)).rejects.toBeInstanceOf(OAuthCallbackError)
  })

  it.each([401, 403, 404, 500])('signs nobody in when userinfo says %i', async status => {
    const { op, signIn } = await setUp(plain)
    op.faults.answer = path =>
      path === '/userinfo' ? Response.json({ id: 'junk', message: 'no' }, { status }) : undefined
    await expect(signIn()).rejects.toBeInstanceOf(OAuthCallbackError)
  })

  it('signs nobody in who has no id', async () => {
    const { op, signIn } = await setUp(plain)
    op.faults.profile = () => ({ name: 'Nobody' })
    await expect(signIn()).rejects.toMatchObject({ type: 'OAuthProfileParseError' })
  })

  it('keeps ids apart that a number could not', async () => {
    const { op, signIn } = await setUp(plain)
    op.faults.answer = path =>
      path === '/userinfo' ? new Response('{"id":9007199254740993}') : undefined
    expect((await signIn()).account.providerAccountId).toBe('9007199254740993')
  })
})

describe('the token request', () => {
  it('has what RFC 6749 asks for, and what the application adds', async () => {
    const { signIn, tokenRequest } = await setUp({
      ...plain,
      token: { url: 'https://op.test/token', params: { audience: 'api', redirect_uri: 'evil' } },
    })
    await signIn()
    const { method, headers, body } = tokenRequest() ?? {}
    expect(method).toBe('POST')
    expect(headers?.get('accept')).toBe('application/json')
    expect(headers?.get('user-agent')).toBe('SiteAuth')
    expect(headers?.get('authorization')).toMatch(/^Basic /)
    expect(Object.fromEntries(body ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: expect.any(String),
      code_verifier: expect.stringMatching(/^[0-9a-f]{64}$/),
      redirect_uri: 'https://app.test/auth/callback/op',
      audience: 'api',
    })
  })

  it('can be made by the provider itself', async () => {
    let seen: unknown
    const { op, rp } = await setUp({
      ...plain,
      token: {
        async request({ provider, params, redirectUri, codeVerifier, fetch }) {
          seen = { id: provider.clientId, params, redirectUri, codeVerifier }
          await fetch('https://op.test/other')
          return { tokens: { access_token: 'at-ada', scope: 'x' } }
        },
      },
    })
    const answer = op.authorize(await rp.start())
    answer.set('device_id', 'd1')
    const { account } = await rp.finish(answer)
    expect(account).toMatchObject({ access_token: 'at-ada', token_type: 'bearer', scope: 'x' })
    expect(seen).toMatchObject({
      id: CLIENT_ID,
      params: { device_id: 'd1', code: answer.get('code') },
      redirectUri: 'https://app.test/auth/callback/op',
      codeVerifier: expect.any(String),
    })
    expect(op.count('/token')).toBe(0)
    expect(op.count('/other')).toBe(1)
  })

  it('that the provider makes itself does not spare the checks of the id_token', async () => {
    const { op, rp } = await setUp({
      ...openId,
      token: { request: () => ({ access_token: 'at-ada', id_token: 'a.b.c' }) },
    })
    const answer = op.authorize(await rp.start())
    await expect(rp.finish(answer)).rejects.toBeInstanceOf(OAuthCallbackError)
  })

  it('may fail in the words of the provider', async () => {
    const thrown = new OAuthCallbackError('no')
    const request = () => Promise.reject(thrown)
    const { signIn } = await setUp({ ...plain, token: { request } })
    await expect(signIn()).rejects.toBe(thrown)
    const bug = new TypeError('bug')
    const broken = await setUp({ ...plain, token: { request: () => Promise.reject(bug) } })
    await expect(broken.signIn()).rejects.toMatchObject({
      type: 'OAuthCallbackError',
      cause: { err: bug },
    })
  })

  it('can have its answer repaired', async () => {
    const { op, signIn } = await setUp({
      ...plain,
      token: {
        url: 'https://op.test/token',
        async conform(response) {
          const { data } = await response.json()
          return Response.json(data)
        },
      },
    })
    op.faults.tokens = tokens => ({ data: tokens })
    expect((await signIn()).account.access_token).toBe('at-ada')
  })
})

describe('the profile', () => {
  it('can be fetched by the provider itself', async () => {
    const { signIn } = await setUp({
      ...plain,
      userinfo: {
        url: 'https://op.test/userinfo',
        async request({ tokens, provider, fetch }) {
          const url = provider.userinfo?.url
          expect(url).toBeInstanceOf(URL)
          const headers = { authorization: `Bearer ${tokens.access_token}` }
          const response = await fetch(url ?? '', { headers })
          return { ...(await response.json()), id: 'hook' }
        },
      },
      profile: ({ id }) => ({ id: String(id) }),
    })
    expect((await signIn()).account.providerAccountId).toBe('hook')
  })

  it.each([[undefined], [null], ['text']])('that is %j signs nobody in', async profile => {
    const request = () => profile as unknown as Profile
    const { signIn } = await setUp({ ...plain, userinfo: { request } })
    await expect(signIn()).rejects.toBeInstanceOf(OAuthCallbackError)
  })

  it('fetched by an OIDC provider itself must be of the same person', async () => {
    const request = () => ({ sub: 'bob' })
    const { signIn } = await setUp({ ...openId, idToken: false, userinfo: { request } })
    await expect(signIn()).rejects.toBeInstanceOf(OAuthCallbackError)
  })

  it('can be repaired', async () => {
    const { op, signIn } = await setUp({
      ...plain,
      userinfo: {
        url: 'https://op.test/userinfo',
        conform: async response => Response.json((await response.json()).data),
      },
    })
    op.faults.profile = profile => ({ data: profile })
    expect((await signIn()).account.providerAccountId).toBe('ada')
  })

  it('can hold what only the callback brings', async () => {
    const { op, rp } = await setUp({
      ...openId,
      profileFromCallback: (profile, { user }) => ({ ...profile, name: String(user) }),
    })
    const answer = op.authorize(await rp.start())
    answer.set('user', 'Ada at first consent')
    expect((await rp.finish(answer)).user.name).toBe('Ada at first consent')
  })

  it('can be signed, and the signature counts', async () => {
    const client = { userinfo_signed_response_alg: 'RS256' }
    const { op, signIn } = await setUp({ ...openId, idToken: false, client })
    const { privateKey } = await jose.generateKeyPair('RS256')
    op.faults.answer = async path => {
      if (path !== '/userinfo') return undefined
      const token = await new jose.SignJWT({ sub: 'ada', aud: CLIENT_ID, iss: op.issuer })
        .setProtectedHeader({ alg: 'RS256', kid: op.publicJwk().kid ?? '' })
        .sign(privateKey)
      return new Response(token, { headers: { 'content-type': 'application/jwt' } })
    }
    await expect(signIn()).rejects.toMatchObject({
      type: 'OAuthCallbackError',
      message: expect.stringContaining('signature'),
    })
    const hmac = new TextEncoder().encode(CLIENT_SECRET)
    const registered = { userinfo_signed_response_alg: 'HS256' }
    const good = await setUp({ ...openId, idToken: false, client: registered })
    good.op.faults.answer = async path => {
      if (path !== '/userinfo') return undefined
      const token = await new jose.SignJWT({ sub: 'ada', name: 'Signed' })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(hmac)
      return new Response(token, { headers: { 'content-type': 'application/jwt' } })
    }
    expect((await good.signIn()).user.name).toBe('Signed')
  })

  it('that should be signed and is not signs nobody in', async () => {
    const client = { userinfo_signed_response_alg: 'RS256' }
    const { signIn } = await setUp({ ...openId, idToken: false, client })
    await expect(signIn()).rejects.toBeInstanceOf(AuthError)
  })
})

describe('a custom fetch', () => {
  it('asks for everything', async () => {
    const op = await createFakeServer()
    const asked: string[] = []
    const custom: typeof fetch = (input, init) => {
      asked.push(new URL(String(input)).pathname)
      return op.fetch(input, init)
    }
    const refuse = () => Promise.reject(new Error('not this one'))
    const rp = createRelyingParty(
      { ...openId, idToken: false, [customFetch]: custom },
      { fetch: refuse },
    )
    await rp.finish(op.authorize(await rp.start()))
    expect(asked.sort()).toEqual([
      '/.well-known/openid-configuration',
      '/jwks',
      '/token',
      '/userinfo',
    ])
  })
})

describe('the parameters of an answer', () => {
  it('are those of the query, or of the form where one is posted, and never the other', () => {
    const query = new URLSearchParams({ code: 'query' })
    const form = new URLSearchParams({ code: 'form' })
    expect(callbackParameters({ formPost: false }, query, form).get('code')).toBe('query')
    const posted = callbackParameters({ formPost: true }, query, form)
    expect(Object.fromEntries(posted)).toEqual({ code: 'form' })
  })
})
