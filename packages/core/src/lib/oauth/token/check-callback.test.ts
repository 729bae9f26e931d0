import type { AuthorizationServer } from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { type ResolvedOAuthProvider, resolveOAuthProvider } from '../provider/resolve-provider.ts'
import { checkCallback } from './check-callback.ts'

const ISSUER = 'https://op.test'

function provider(issuer?: string, issuerFor?: () => string): ResolvedOAuthProvider {
  const resolved = resolveOAuthProvider({
    id: 'op',
    name: 'OP',
    type: 'oauth',
    clientId: 'cid',
    clientSecret: 'secret',
    authorization: `${ISSUER}/authorize`,
    token: `${ISSUER}/token`,
    userinfo: `${ISSUER}/me`,
    ...(issuer && { issuer }),
    ...(issuerFor && { issuerFor }),
  })
  if (resolved instanceof Error) throw resolved
  return resolved
}

function check(
  query: string,
  of: ResolvedOAuthProvider = provider(ISSUER),
  metadata: Partial<AuthorizationServer> = {},
): string {
  return checkCallback(
    of,
    new URLSearchParams(query),
    { state: 's' },
    {
      issuer: of.issuer,
      metadata: { issuer: of.issuer ?? `${ISSUER}/token`, ...metadata },
      keys: { get: async () => null },
      fetch,
    },
  )
}

describe('an answer', () => {
  it('brings a code', () => {
    expect(check('code=c&state=s')).toBe('c')
    expect(check(`code=c&state=s&iss=${ISSUER}`)).toBe('c')
  })

  it.each([
    ['with another state', 'code=c&state=t', /state .* does not match/],
    ['without the state', 'code=c', /state .* does not match/],
    ['of another issuer', 'code=c&state=s&iss=https://evil.test', /another issuer/],
    ['whose issuer has a slash too many', `code=c&state=s&iss=${ISSUER}/`, /another issuer/],
    ['without a code', 'state=s', /found none/],
    ['with an empty code', 'code=&state=s', /found none/],
    ['with two codes', 'code=c&code=d&state=s', /code more than once/],
    ['with two states', 'code=c&state=s&state=s', /state more than once/],
    ['with a token', 'code=c&state=s&access_token=t', /found access_token/],
    ['with an id_token', 'code=c&state=s&id_token=t', /found id_token/],
    ['with a token of another name', 'code=c&state=s&token=t', /found token/],
    ['with two issuers', `code=c&state=s&iss=${ISSUER}&iss=${ISSUER}`, /iss more than once/],
    ['with two errors', 'error=a&error=b&state=s', /error more than once/],
    [
      'with two descriptions',
      'error=a&error_description=b&error_description=c&state=s',
      /error_description more than once/,
    ],
    ['with two pages', 'error=a&error_uri=b&error_uri=c&state=s', /error_uri more than once/],
    ['that is a signed response', 'response=r', /found response/],
    ['that refuses', 'error=access_denied&state=s', /the error access_denied/],
    ['that refuses and brings a code', 'error=no&code=c&state=s', /the error no/],
  ])('%s is none', (_what, query, message) => {
    expect(() => check(query)).toThrow(message)
  })

  it('must name the issuer where the server says that it does', () => {
    const ask = (query: string) =>
      check(query, undefined, { authorization_response_iss_parameter_supported: true })
    expect(() => ask('code=c&state=s')).toThrow(/does not name its issuer/)
    expect(() => ask('code=c&state=s&iss=')).toThrow(/does not name its issuer/)
    expect(ask(`code=c&state=s&iss=${ISSUER}`)).toBe('c')
  })

  it('may name any issuer where nobody knows which it should be', () => {
    expect(check('code=c&state=s&iss=https://any.test', provider())).toBe('c')
  })

  it('may name another issuer of the same origin where that depends on who signs in', () => {
    const of = provider(ISSUER, () => ISSUER)
    expect(check(`code=c&state=s&iss=${ISSUER}/tenant`, of)).toBe('c')
    expect(() => check('code=c&state=s&iss=https://evil.test', of)).toThrow(/another issuer/)
  })

  it('may not name what is no URL as its issuer', () => {
    const of = provider(ISSUER, () => ISSUER)
    expect(() => check('code=c&state=s&iss=op', of)).toThrow(/another issuer/)
  })

  it('needs no state if none was sent', () => {
    const of = provider(ISSUER)
    const server = {
      issuer: ISSUER,
      metadata: { issuer: ISSUER },
      keys: { get: async () => null },
      fetch,
    }
    const transaction = { state: undefined }
    expect(checkCallback(of, new URLSearchParams('code=c'), transaction, server)).toBe('c')
    expect(checkCallback(of, new URLSearchParams('code=c&state=x'), transaction, server)).toBe('c')
  })

  it('that refuses is told to the log in the words of the provider', () => {
    const refused = caught(() => check('error=access_denied&error_description=No.&state=s'))
    expect(refused).toMatchObject({
      name: 'OAuthCallbackError',
      cause: { provider: 'op', error: 'access_denied', error_description: 'No.' },
    })
    expect(caught(() => check('code=c&state=s&iss=https://evil.test'))).toMatchObject({
      facts: { found: 'https://evil.test' },
    })
  })

  it('from another issuer is not even believed when it refuses', () => {
    expect(() => check('error=no&state=s&iss=https://evil.test')).toThrow(/another issuer/)
  })
})

function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
