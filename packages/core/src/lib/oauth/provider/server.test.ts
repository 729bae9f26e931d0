import { describe, expect, it } from 'vitest'
import { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import { customFetch, type OAuthConfig } from '../../providers/oauth.ts'
import { type ResolvedOAuthProvider, resolveOAuthProvider } from './resolve-provider.ts'
import { createServerDirectory } from './server.ts'

function resolve(over: Partial<OAuthConfig<Profile>> = {}): ResolvedOAuthProvider {
  const provider = resolveOAuthProvider({
    id: 'op',
    name: 'OP',
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'id',
    clientSecret: 'secret',
    ...over,
  } as OAuthConfig<Profile>)
  if (provider instanceof InvalidEndpoints) throw provider
  return provider
}

/** A server that counts, and whose answers can be changed. */
function setUp(document: Record<string, unknown> = {}) {
  const asked: string[] = []
  const clock = { now: 0 }
  const keys = { current: [{ kty: 'RSA', kid: '1' }] }
  const ask: typeof fetch = async input => {
    asked.push(String(input))
    await Promise.resolve()
    if (String(input).endsWith('/jwks')) return Response.json({ keys: keys.current })
    return Response.json({
      issuer: 'https://op.test',
      authorization_endpoint: 'https://op.test/authorize',
      token_endpoint: 'https://op.test/token',
      jwks_uri: 'https://op.test/jwks',
      ...document,
    })
  }
  const servers = createServerDirectory({ fetch: ask, now: () => clock.now })
  return { servers, asked, clock, keys, ask }
}

describe('metadata', () => {
  it('is asked for once by many, and again after ten minutes', async () => {
    const { servers, asked, clock } = setUp()
    const provider = resolve()
    await Promise.all(Array.from({ length: 50 }, () => servers.serverFor(provider)))
    clock.now = 599_999
    await servers.serverFor(provider)
    expect(asked).toEqual(['https://op.test/.well-known/openid-configuration'])
    clock.now = 600_000
    await Promise.all(Array.from({ length: 50 }, () => servers.serverFor(provider)))
    expect(asked).toHaveLength(2)
  })

  it('is shared by providers of one issuer, but not by different ways of asking', async () => {
    const { servers, asked, ask } = setUp()
    await servers.serverFor(resolve())
    await servers.serverFor(resolve({ id: 'other' }))
    expect(asked).toHaveLength(1)
    await servers.serverFor(resolve({ [customFetch]: (...request) => ask(...request) }))
    expect(asked).toHaveLength(2)
  })

  it('is not asked for where everything is configured', async () => {
    const { servers, asked } = setUp()
    const provider = resolve({
      type: 'oauth',
      authorization: 'https://op.test/a?x=1',
      token: 'https://op.test/t',
      userinfo: 'https://op.test/u',
    })
    const { metadata, issuer } = await servers.serverFor(provider)
    expect(asked).toEqual([])
    expect(issuer).toBe('https://op.test')
    expect(metadata).toMatchObject({
      authorization_endpoint: 'https://op.test/a',
      token_endpoint: 'https://op.test/t',
      userinfo_endpoint: 'https://op.test/u',
    })
  })

  it('gives way to what is configured', async () => {
    const { servers } = setUp()
    const provider = resolve({ token: 'https://elsewhere.test/token' })
    const { metadata } = await servers.serverFor(provider)
    expect(metadata.token_endpoint).toBe('https://elsewhere.test/token')
    expect(metadata.authorization_endpoint).toBe('https://op.test/authorize')
  })

  it.each([
    ['https://op.test', 'https://op.test/', true],
    ['https://op.test/', 'https://op.test', true],
    ['https://op.test/a', 'https://op.test/a/', false],
    ['https://op.test/a/', 'https://op.test/a', false],
    ['https://op.test', 'https://op.test:444', false],
    ['https://op.test', 'http://op.test', false],
    ['https://op.test/a', 'https://op.test/A', false],
  ])('of the issuer %s that names itself %s is taken: %s', async (issuer, found, taken) => {
    const { servers } = setUp({ issuer: found })
    const server = servers.serverFor(resolve({ issuer }))
    if (taken) expect((await server).issuer).toBe(found)
    else await expect(server).rejects.toThrow(/expected the issuer/)
  })

  it('may name the issuer that stands before wellKnown', async () => {
    const issuer = 'https://op.test/oidc/2'
    const { servers, asked } = setUp({ issuer })
    const wellKnown = `${issuer}/.well-known/openid-configuration`
    expect((await servers.serverFor(resolve({ wellKnown }))).issuer).toBe(issuer)
    expect(asked).toEqual([wellKnown])
  })
})

describe('keys', () => {
  it('are kept for ten minutes', async () => {
    const { servers, asked, clock } = setUp()
    const { keys } = await servers.serverFor(resolve())
    const first = await keys.get('response')
    expect(await keys.get('response')).toBe(first)
    clock.now = 600_000
    expect(await keys.get('response')).not.toBe(first)
    expect(asked.filter(each => each.endsWith('/jwks'))).toHaveLength(2)
  })

  it('are asked for again at once where none fits, and then not for 30 seconds', async () => {
    const { servers, asked, clock } = setUp()
    const { keys } = await servers.serverFor(resolve())
    const first = (await keys.get('response')) ?? undefined
    const [second, shared] = await Promise.all([
      keys.get('response', first),
      keys.get('response', first),
    ])
    expect(second).not.toBe(first)
    expect(shared).toBe(second)
    expect(await keys.get('response', first)).toBe(second)
    expect(await keys.get('response', second ?? undefined)).toBeNull()
    clock.now += 29_999
    expect(await keys.get('response', second ?? undefined)).toBeNull()
    clock.now += 1
    expect(await keys.get('response', second ?? undefined)).not.toBeNull()
    expect(asked.filter(each => each.endsWith('/jwks'))).toHaveLength(3)
  })

  it('that are nowhere are an error that says what to configure', async () => {
    const { servers } = setUp({ jwks_uri: undefined })
    const { keys } = await servers.serverFor(resolve())
    await expect(keys.get('response')).rejects.toThrow(/jwks_endpoint/)
  })
})

describe('the metadata of a public server', () => {
  const endpoints = [
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'jwks_uri',
    'pushed_authorization_request_endpoint',
  ]

  it.each(endpoints)('leads by its %s to no private address, nor to plain http', async name => {
    for (const url of [
      'http://op.test/x',
      'http://localhost/x',
      'http://127.0.0.1/x',
      'https://localhost/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/x',
      'https://[::1]/x',
      'https://[::ffff:10.0.0.1]/x',
      'https://[fe80::1]/x',
      'https://metadata.google.internal/x',
      'https://a.localhost/x',
    ]) {
      const { servers } = setUp({ [name]: url })
      await expect(servers.serverFor(resolve())).rejects.toThrow(`${name}: expected`)
    }
  })

  it.each(['http://127.0.0.1:8500/x', 'https://10.0.0.7/x', 'http://op.test/x'])(
    'names %s as no alias either',
    async url => {
      const { servers } = setUp({ mtls_endpoint_aliases: { token_endpoint: url } })
      await expect(servers.serverFor(resolve())).rejects.toThrow('mtls_endpoint_aliases')
    },
  )

  it('may be overruled by what is configured', async () => {
    const { servers } = setUp({ token_endpoint: 'https://10.0.0.1/x' })
    const { metadata } = await servers.serverFor(resolve({ token: 'https://10.0.0.2/token' }))
    expect(metadata.token_endpoint).toBe('https://10.0.0.2/token')
  })
})

describe('a server on this machine or in an intranet', () => {
  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'https://10.0.0.7',
    'https://keycloak',
  ])('at %s names endpoints there', async issuer => {
    const at = (path: string) => `${issuer}/${path}`
    const { servers } = setUp({
      issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: at('jwks'),
    })
    const { metadata } = await servers.serverFor(resolve({ issuer }))
    expect(metadata.token_endpoint).toBe(at('token'))
  })
})
