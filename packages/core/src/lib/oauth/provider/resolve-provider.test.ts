import { describe, expect, it } from 'vitest'
import { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import { customFetch, type OAuth2Config, type OIDCConfig } from '../../providers/oauth.ts'
import { type ResolvedOAuthProvider, resolveOAuthProvider } from './resolve-provider.ts'

const oauth: OAuth2Config<Profile> = {
  id: 'plain',
  name: 'Plain',
  type: 'oauth',
  clientId: 'id',
  clientSecret: 'secret',
  authorization: 'https://plain.test/authorize',
  token: 'https://plain.test/token',
  userinfo: 'https://plain.test/me',
}
const oidc: OIDCConfig<Profile> = {
  id: 'op',
  name: 'OP',
  type: 'oidc',
  clientId: 'id',
  clientSecret: 'secret',
  issuer: 'https://op.test',
}

function resolve(
  config: OAuth2Config<Profile> | OIDCConfig<Profile>,
  proxy?: string,
): ResolvedOAuthProvider {
  const provider = resolveOAuthProvider(config, { url: proxy, origins: [] })
  if (provider instanceof InvalidEndpoints) throw provider
  return provider
}

describe('scope', () => {
  it('is the standard one for OIDC, and none for plain OAuth', () => {
    expect(resolve(oidc).scope).toBe('openid profile email')
    expect(resolve(oauth).scope).toBeUndefined()
  })

  it.each([
    ['in the URL', 'https://plain.test/authorize?scope=a%20b'],
    ['in the parameters', { url: 'https://plain.test/authorize', params: { scope: 'a b' } }],
    ['as a list', { url: 'https://plain.test/authorize', params: { scope: ['a', 'b'] } }],
    [
      'in both, where the parameters win',
      { url: 'https://plain.test/authorize?scope=x', params: { scope: 'a b' } },
    ],
  ])('may be written %s', (_, authorization) => {
    const { scope, authorization: resolved } = resolve({ ...oauth, authorization })
    expect(scope).toBe('a b')
    expect(resolved).toEqual({
      url: 'https://plain.test/authorize',
      params: [],
      fragment: undefined,
    })
  })

  it('that is empty means none', () => {
    const authorization = 'https://plain.test/authorize?scope='
    expect(resolve({ ...oauth, authorization }).scope).toBeUndefined()
  })
})

describe('checks', () => {
  it('are state and PKCE, and a nonce for OIDC', () => {
    expect(resolve(oauth).checks).toEqual({ state: true, pkce: true, nonce: false })
    expect(resolve(oidc).checks).toEqual({ state: true, pkce: true, nonce: true })
  })

  it('are what the application says', () => {
    const checks = (...names: NonNullable<OIDCConfig<Profile>['checks']>) =>
      resolve({ ...oidc, checks: names }).checks
    expect(checks('none')).toEqual({ state: false, pkce: false, nonce: false })
    expect(checks('nonce')).toEqual({ state: false, pkce: false, nonce: true })
    expect(checks('pkce', 'state')).toEqual({ state: true, pkce: true, nonce: false })
  })

  it('include state where a proxy is used', () => {
    const { checks, proxyCallbackUrl } = resolve(
      { ...oidc, checks: ['pkce'] },
      'https://main.test/auth/',
    )
    expect(checks).toEqual({ state: true, pkce: true, nonce: false })
    expect(proxyCallbackUrl).toBe('https://main.test/auth/callback/op')
  })

  it('fall back to state where only a nonce was asked for that nothing can bring back', () => {
    const { checks } = resolve({ ...oauth, checks: ['nonce'] })
    expect(checks).toEqual({ state: true, pkce: false, nonce: false })
  })
})

describe('a proxy', () => {
  it("is the provider's own, else that of the configuration", () => {
    const own = { ...oauth, redirectProxyUrl: 'https://own.test/auth' }
    expect(resolve(own, 'https://main.test/auth').proxyCallbackUrl).toBe(
      'https://own.test/auth/callback/plain',
    )
  })

  it('is not used with form_post', () => {
    const authorization = { params: { response_mode: 'form_post' } }
    const provider = resolve({ ...oidc, authorization }, 'https://main.test/auth')
    expect(provider).toMatchObject({ formPost: true, proxyCallbackUrl: undefined })
  })
})

describe('parameters', () => {
  it('are texts; objects are JSON, lists are repeated, and what is not there is left out', () => {
    const params = {
      prompt: 'consent',
      max_age: 0,
      claims: { id_token: { email: null } },
      resource: ['a', 'b'],
      nothing: undefined,
      nil: null,
    }
    expect(resolve({ ...oidc, authorization: { params } }).authorization.params).toEqual([
      ['prompt', 'consent'],
      ['max_age', '0'],
      ['claims', '{"id_token":{"email":null}}'],
      ['resource', 'a'],
      ['resource', 'b'],
    ])
  })

  it('of userinfo are set on its URL', () => {
    const userinfo = { url: 'https://plain.test/me?a=1', params: { a: 2, fields: 'x,y' } }
    expect(resolve({ ...oauth, userinfo }).userinfo.url).toBe(
      'https://plain.test/me?a=2&fields=x%2Cy',
    )
  })
})

describe('discovery', () => {
  it('is not needed where everything is configured', () => {
    expect(resolve(oauth).discovery).toBeUndefined()
    expect(resolve({ ...oauth, issuer: 'https://plain.test' }).discovery).toBeUndefined()
    const complete = {
      ...oidc,
      authorization: 'https://op.test/a',
      token: 'https://op.test/t',
      jwks_endpoint: 'https://op.test/k',
    }
    expect(resolve(complete).discovery).toBeUndefined()
  })

  it('is needed for the keys, unless the client secret is the key', () => {
    const partial = { ...oidc, authorization: 'https://op.test/a', token: 'https://op.test/t' }
    expect(resolve(partial).discovery).toBeDefined()
    const client = { id_token_signed_response_alg: 'HS256' }
    expect(resolve({ ...partial, client }).discovery).toBeUndefined()
  })

  it.each([
    ['https://op.test', 'https://op.test/.well-known/openid-configuration'],
    ['https://op.test/', 'https://op.test/.well-known/openid-configuration'],
    ['https://op.test/realms/a', 'https://op.test/realms/a/.well-known/openid-configuration'],
    ['https://op.test/realms/a/', 'https://op.test/realms/a/.well-known/openid-configuration'],
  ])('of %s is at %s', (issuer, url) => {
    expect(resolve({ ...oidc, issuer }).discovery).toEqual({
      url,
      issuers: [issuer],
      origin: undefined,
    })
  })

  it('is at wellKnown where that is set, and the issuer may then be what stands before it', () => {
    const wellKnown = 'https://op.test/oidc/2/.well-known/openid-configuration'
    expect(resolve({ ...oidc, wellKnown }).discovery).toMatchObject({
      url: wellKnown,
      issuers: ['https://op.test', 'https://op.test/oidc/2'],
    })
    const { issuer: _, ...nameless } = oidc
    expect(resolve({ ...nameless, wellKnown }).discovery?.issuers).toEqual([
      'https://op.test/oidc/2',
    ])
    const rfc8414 = 'https://op.test/.well-known/oauth-authorization-server/tenant'
    expect(resolve({ ...nameless, wellKnown: rfc8414 }).discovery?.issuers).toEqual([
      'https://op.test/tenant',
    ])
  })
})

describe('a provider that cannot work', () => {
  const { issuer: _, ...nameless } = oidc
  const { authorization: __, token: ___, ...endless } = oauth
  const { clientId: ____, ...anonymous } = oauth
  const { clientSecret: _____, ...secretless } = oauth
  it.each<[string, OAuth2Config<Profile> | OIDCConfig<Profile>, RegExp]>([
    ['has no endpoints', endless, /needs an issuer, or.*authorization and token/],
    ['has no issuer', nameless, /needs an issuer, or/],
    ['has no client id', anonymous, /clientId is not set/],
    ['has no secret', secretless, /clientSecret is not set/],
    ['has no TLS', { ...oauth, token: 'http://plain.test/token' }, /token: expected an https URL/],
    ['has an issuer without TLS', { ...oidc, issuer: 'http://op.test' }, /discovery: expected/],
    ['has a URL that is none', { ...oauth, userinfo: 'plain' }, /userinfo: expected a URL/],
    [
      'has another scheme',
      { ...oauth, authorization: 'javascript:alert(1)' },
      /authorization: exp/,
    ],
    [
      'has a wellKnown that says nothing of the issuer',
      { ...nameless, wellKnown: 'https://op.test/metadata.json' },
      /issuer must be set/,
    ],
    [
      'has a method that is not known',
      { ...oauth, client: { token_endpoint_auth_method: 'constructor' } },
      /constructor is unknown/,
    ],
    [
      'has no key',
      { ...oauth, client: { token_endpoint_auth_method: 'private_key_jwt' } },
      /clientPrivateKey/,
    ],
  ])('because it %s is answered as an error that says so', (_name, config, message) => {
    const error = resolveOAuthProvider(config)
    expect(error).toBeInstanceOf(InvalidEndpoints)
    expect((error as InvalidEndpoints).message).toMatch(message)
  })

  it('may be allowed to go without TLS, on loopback always and elsewhere aloud', () => {
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80', 'op.localhost']) {
      resolve({ ...oidc, issuer: `http://${host}` })
    }
    resolve({ ...oidc, issuer: 'http://op.test', allowInsecureRequests: true })
    for (const host of ['localhost.test', '127.0.0.1.test', 'notlocalhost', '10.0.0.1']) {
      expect(resolveOAuthProvider({ ...oidc, issuer: `http://${host}` })).toBeInstanceOf(
        InvalidEndpoints,
      )
    }
  })

  it('needs no secret as a public client, nor where it makes the token request itself', () => {
    resolve({ ...secretless, client: { token_endpoint_auth_method: 'none' } })
    resolve({ ...secretless, token: { request: () => ({ access_token: 'x' }) } })
  })
})

describe('the rest', () => {
  it('is frozen', () => {
    const provider = resolve(oidc)
    expect(Object.isFrozen(provider)).toBe(true)
    expect(Object.isFrozen(provider.client)).toBe(true)
    expect(Object.isFrozen(provider.authorization.params)).toBe(true)
  })

  it('keeps a custom fetch, and binds methods to what they were written on', async () => {
    const custom: typeof fetch = () => Promise.resolve(new Response())
    const token = {
      name: 'mine',
      request() {
        return { access_token: this.name }
      },
    }
    const provider = resolve({ ...oauth, [customFetch]: custom, token })
    expect(provider.fetch).toBe(custom)
    const request = provider.token.request
    expect(await request?.({} as never)).toEqual({ access_token: 'mine' })
  })

  it('maps the standard claims, and invents no id', async () => {
    const { profile } = resolve(oidc)
    expect(
      await profile({ sub: 's', id: 'i', nickname: 'n', email: 'e', picture: 'p' }, {}),
    ).toEqual({ id: 's', name: 'n', email: 'e', image: 'p' })
    expect(await profile({ id: 'i', preferred_username: 'u' }, {})).toEqual({ id: 'i', name: 'u' })
    expect(await profile({}, {})).toEqual({})
  })

  it('stores seven members of a token answer', () => {
    const { account } = resolve(oidc)
    expect(
      account({
        access_token: 'a',
        id_token: 'i',
        refresh_token: 'r',
        expires_at: 1,
        expires_in: 2,
        scope: 's',
        token_type: 'bearer',
        session_state: 'x',
        other: 'o',
      }),
    ).toEqual({
      access_token: 'a',
      id_token: 'i',
      refresh_token: 'r',
      expires_at: 1,
      scope: 's',
      token_type: 'bearer',
      session_state: 'x',
    })
  })
})
