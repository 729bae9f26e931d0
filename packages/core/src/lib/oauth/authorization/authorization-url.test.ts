import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import type { AuthorizationEndpointHandler, OAuthConfig } from '../../providers/oauth.ts'
import { resolveOAuthProvider } from '../provider/resolve-provider.ts'
import { authorizationUrl, type ExtraParameters } from './authorization-url.ts'
import type { NewTransaction } from './transaction.ts'

const transaction: NewTransaction = {
  id: 'id',
  provider: 'op',
  issuer: 'https://op.test',
  state: 'the-state',
  codeVerifier: 'the-verifier',
  codeChallenge: 'the-challenge',
  nonce: 'the-nonce',
  redirectUri: 'https://app.test/auth/callback/op',
  returnTo: undefined,
  browser: undefined,
  addTo: undefined,
  remember: undefined,
  maxAge: undefined,
  start: undefined,
  createdAt: 0,
}

function urlFor(
  extra: ExtraParameters = {},
  authorization: AuthorizationEndpointHandler = {},
  config: Partial<OAuthConfig<Profile>> = {},
  over: Partial<NewTransaction> = {},
): URL {
  const provider = resolveOAuthProvider({
    id: 'op',
    name: 'OP',
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'client',
    clientSecret: 'secret',
    authorization,
    ...config,
  } as OAuthConfig<Profile>)
  if (provider instanceof InvalidEndpoints) throw provider
  const endpoint = provider.authorization.url ?? 'https://op.test/authorize?tenant=t'
  return authorizationUrl(provider, endpoint, { ...transaction, ...over }, extra)
}

const standard = {
  tenant: 't',
  response_type: 'code',
  client_id: 'client',
  scope: 'openid profile email',
  redirect_uri: 'https://app.test/auth/callback/op',
  state: 'the-state',
  nonce: 'the-nonce',
  code_challenge: 'the-challenge',
  code_challenge_method: 'S256',
}

const membersOf = (url: URL) => Object.fromEntries(url.searchParams)

describe('the authorization URL', () => {
  it('has what the protocol needs, and keeps the query of the endpoint', () => {
    expect(membersOf(urlFor())).toEqual(standard)
  })

  it('leaves out what is not checked', () => {
    const off = { state: undefined, nonce: undefined, codeChallenge: undefined }
    const { state, nonce, code_challenge, code_challenge_method, ...others } = standard
    expect(membersOf(urlFor({}, {}, {}, off))).toEqual(others)
  })

  it('has what the application configured', () => {
    const params = { prompt: 'consent', response_mode: 'form_post', claims: { a: null } }
    expect(membersOf(urlFor({}, { params }))).toEqual({
      ...standard,
      prompt: 'consent',
      response_mode: 'form_post',
      claims: '{"a":null}',
    })
  })

  it('calls the client id what the provider calls it, and separates scopes as it likes', () => {
    const url = urlFor(
      {},
      { params: { scope: 'a b' }, fragment: 'wechat_redirect' },
      { clientIdParam: 'client_key', scopeSeparator: ',' },
    )
    expect(url.searchParams.get('client_key')).toBe('client')
    expect(url.searchParams.has('client_id')).toBe(false)
    expect(url.searchParams.get('scope')).toBe('a,b')
    expect(url.hash).toBe('#wechat_redirect')
  })

  it('sends no scope for plain OAuth without one, whatever a visitor wants', () => {
    const config = {
      type: 'oauth',
      authorization: 'https://op.test/a',
      token: 'https://op.test/t',
      userinfo: 'https://op.test/u',
    } as const
    const url = urlFor({ visitor: { scope: 'everything' } }, {}, config)
    expect(url.searchParams.has('scope')).toBe(false)
  })
})

describe('a visitor', () => {
  it('may add what helps to sign in, and what nobody knows', () => {
    const visitor = {
      login_hint: 'ada@example.test',
      prompt: 'select_account',
      ui_locales: 'de',
      max_age: '0',
      acr_values: 'mfa',
      display: 'popup',
      claims_locales: 'de',
      screen_hint: 'signup',
    }
    expect(membersOf(urlFor({ visitor }))).toEqual({ ...standard, ...visitor })
  })

  it('cannot change what the flow stands on', () => {
    const visitor = {
      client_id: 'evil',
      redirect_uri: 'https://evil.test',
      response_type: 'token',
      response_mode: 'fragment',
      state: 'evil',
      nonce: 'evil',
      code_challenge: 'evil',
      code_challenge_method: 'plain',
      request: 'evil',
      request_uri: 'urn:evil',
      authorization_details: '[]',
      csrfToken: 'secret',
      callbackUrl: '/',
    }
    expect(membersOf(urlFor({ visitor }))).toEqual(standard)
  })

  it('cannot switch on what is off', () => {
    const off = { state: undefined, nonce: undefined, codeChallenge: undefined }
    const visitor = { state: 'x', nonce: 'x', code_challenge: 'x', code_challenge_method: 'plain' }
    expect(urlFor({ visitor }, {}, {}, off).href).toBe(urlFor({}, {}, {}, off).href)
  })

  it('cannot change what the application decided', () => {
    const url = urlFor(
      { visitor: { prompt: 'none', tenant: 'other' } },
      { params: { prompt: 'login' } },
    )
    expect(url.searchParams.getAll('prompt')).toEqual(['login'])
    expect(url.searchParams.getAll('tenant')).toEqual(['t'])
  })

  it.each([
    ['openid email', 'openid email'],
    ['email', 'openid email'],
    ['email admin', 'openid email'],
    ['admin', 'openid profile email'],
    ['', 'openid profile email'],
  ])('who asks for the scope %j gets %j', (scope, expected) => {
    expect(urlFor({ visitor: { scope } }).searchParams.get('scope')).toBe(expected)
  })

  it('cannot send what no URL should hold', () => {
    expect(urlFor({ visitor: { login_hint: 'x'.repeat(5000) } }).href).toBe(urlFor().href)
  })

  it('whatever is sent, gets the same protocol', () => {
    const name = fc.oneof(fc.constantFrom(...Object.keys(standard), '__proto__'), fc.string())
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), visitor => {
        const { searchParams } = urlFor({ visitor })
        for (const [member, value] of Object.entries(standard)) {
          if (member !== 'scope') expect(searchParams.getAll(member)).toEqual([value])
        }
        for (const scope of (searchParams.get('scope') ?? '').split(' ')) {
          expect(standard.scope.split(' ')).toContain(scope)
        }
      }),
    )
  })
})

describe('the application itself', () => {
  it('may replace what it configured, and ask for more', () => {
    const application = { prompt: 'none', scope: 'openid drive' }
    const url = urlFor({ application }, { params: { prompt: 'login' } })
    expect(url.searchParams.get('prompt')).toBe('none')
    expect(url.searchParams.get('scope')).toBe('openid drive')
  })

  it('cannot break the protocol by accident', () => {
    const application = { state: 'x', client_id: 'x', redirect_uri: 'x', response_mode: 'x' }
    expect(urlFor({ application }).href).toBe(urlFor().href)
  })
})
