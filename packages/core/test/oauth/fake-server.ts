import type * as jose from 'jose'
import { createFakeProvider, type SeenRequest } from '../../../testing/src/provider.ts'

/** What goes wrong. Each is off until it is switched on. */
export interface Faults {
  metadata?: (document: Record<string, unknown>) => Record<string, unknown>
  /** Changes the claims of id_tokens. Undefined members are left out. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Changes the header of id_tokens. */
  header?: (header: jose.JWTHeaderParameters) => jose.JWTHeaderParameters
  /** Makes the id_token itself. */
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string
  tokens?: (tokens: Record<string, unknown>) => Record<string, unknown>
  profile?: (profile: Record<string, unknown>) => Record<string, unknown>
  /** Answers instead of an endpoint. */
  answer?: (path: string) => Response | undefined | Promise<Response | undefined>
}

/** An OpenID provider as a function. It signs everybody in as Ada. */
export interface FakeServer {
  readonly issuer: string
  readonly fetch: typeof fetch
  readonly requests: readonly SeenRequest[]
  readonly faults: Faults
  /** How often a path was asked for. */
  count(path: string): number
  /** What a visitor brings back who was sent to a URL and agreed. */
  authorize(url: URL): URLSearchParams
  /** From now on everything is signed by a new key. */
  rotateKeys(): Promise<void>
  publicJwk(): jose.JWK
  /** Signs claims as they are: undefined members are left out. */
  sign(claims: Record<string, unknown>, header?: Partial<jose.JWTHeaderParameters>): Promise<string>
}

export const CLIENT_ID = 'client'
export const CLIENT_SECRET = 'a client secret that is long enough'

const ADA = {
  sub: 'ada',
  sid: undefined, // the tests of logout say which
  name: 'Ada Lovelace',
  email: 'Ada@Example.test',
  picture: 'https://op.test/ada.png',
}
const FROM_USERINFO = { sub: 'ada', name: 'Ada from userinfo', email: 'ada@example.test' }

/** The provider of the kit for tests, with tokens that the tests know by name. */
export async function createFakeServer({
  issuer = 'https://op.test',
  alg = 'RS256' as 'RS256' | 'ES256',
  now = Date.now as () => number,
  advertiseIss = true,
} = {}): Promise<FakeServer> {
  const faults: Faults = {}
  // Here, because some tests make up the token themselves, and no code is exchanged.
  const answerUserinfo = (path: string, headers: Headers) =>
    path === '/userinfo' && headers.get('authorization') === 'Bearer at-ada'
      ? Response.json(faults.profile?.(FROM_USERINFO) ?? FROM_USERINFO)
      : undefined
  const provider = await createFakeProvider({
    issuer,
    algorithm: alg,
    now,
    clientId: CLIENT_ID,
    clientSecret: null,
    people: [ADA],
    issueToken: kind => (kind === 'access' ? 'at-ada' : 'rt-ada'),
  })
  Object.assign(provider.change, {
    metadata: document => {
      const said = { ...document, authorization_response_iss_parameter_supported: advertiseIss }
      return faults.metadata?.(said) ?? said
    },
    claims: claims => faults.claims?.(claims) ?? claims,
    header: header => faults.header?.({ alg, ...header }) ?? header,
    tokens: ({ id_token, ...tokens }) => {
      const given = { ...tokens, scope: 'openid profile email', id_token }
      return faults.tokens?.(given) ?? given
    },
    respond: async ({ url, headers }) =>
      (await faults.answer?.(url.pathname)) ?? answerUserinfo(url.pathname, headers),
  } satisfies typeof provider.change)
  Object.defineProperty(provider.change, 'idToken', { get: () => faults.idToken })
  return {
    ...provider,
    faults,
    publicJwk: () => provider.publicJwk() as jose.JWK, // the same, as two libraries declare it
    count: path => provider.requests.filter(({ url }) => url.pathname === path).length,
    authorize(url) {
      const { searchParams } = provider.authorize(url)
      if (!advertiseIss) searchParams.delete('iss')
      return searchParams
    },
  }
}
