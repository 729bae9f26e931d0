import { customFetch } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { type ProductionOption, refuseProduction } from '../refuse-production.ts'
import {
  delayed,
  type EndpointFailure,
  isSignInFailure,
  type ProviderEndpoint,
  type ProviderFailure,
  type SignInFailure,
} from './failure.ts'
import { type FakePerson, PEOPLE } from './fake-person.ts'
import { createGrants, type Grant, type IssueToken } from './grants.ts'
import { signedOutPage, signInPage } from './sign-in-page.ts'
import {
  type SigningAlgorithm,
  signingKey,
  type TokenHeader,
  unsignedToken,
} from './signing-key.ts'

/** The options of {@link createFakeProvider}. */
export interface FakeProviderOptions extends ProductionOption {
  /** Where it is. Defaults to `https://provider.example.com`; a server has an address of its own. */
  issuer?: string | undefined
  /** Defaults to `test-client`. */
  clientId?: string | undefined
  /** Defaults to one. With `null`, anybody is taken for the application. */
  clientSecret?: string | null | undefined
  /** Who has an account there. Defaults to Ada and Ben. */
  people?: readonly [FakePerson, ...FakePerson[]] | undefined
  /** Defaults to `ES256`. */
  algorithm?: SigningAlgorithm | undefined
  /** How long access tokens live, in seconds. Defaults to an hour. */
  tokenLifetime?: number | undefined
  /** Signs browsers in as the first person without a page. Defaults to false. */
  automatic?: boolean | undefined
  /** Names tokens, for tests that compare them. They are random by default. */
  issueToken?: IssueToken | undefined
  /** Answers requests to other servers, where `fetch` is used for all. By default, such requests fail. */
  elsewhere?: typeof fetch | undefined
  /** The time, in milliseconds since 1970: `now` of a clock. */
  now?: (() => number) | undefined
}

/** A request that a provider was sent. */
export interface SeenRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  /** The fields of the form. */
  readonly body: URLSearchParams
}

/**
 * Changes what a provider answers, for what has no name among the failures. Each is given what would be
 * answered. Undefined members are left out.
 */
export interface ProviderChanges {
  /** The document that discovery finds. */
  metadata?: (document: Record<string, unknown>) => Record<string, unknown>
  /** The claims of id_tokens. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** The header of id_tokens. */
  header?: (header: TokenHeader) => TokenHeader
  /** Makes the id_token itself. */
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string
  /** What the token endpoint answers. */
  tokens?: (tokens: Record<string, unknown>) => Record<string, unknown>
  /** What the userinfo endpoint answers. */
  profile?: (profile: Record<string, unknown>) => Record<string, unknown>
  /** Answers instead of the provider, unless it answers nothing. */
  answer?: (request: SeenRequest) => Response | undefined | Promise<Response | undefined>
}

/** How somebody answers an authorization request. */
export interface Authorization {
  /** Who signs in. Defaults to the first person. */
  readonly as?: FakePerson | string | undefined
  /** What goes wrong with this sign-in alone. */
  readonly failure?: SignInFailure | undefined
}

/** An OpenID provider that does as it is told. */
export interface FakeProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Answers what an application asks the provider. `provider()` uses it already. */
  readonly fetch: typeof fetch
  /** All that the provider was asked, the latest last. */
  readonly requests: readonly SeenRequest[]
  readonly change: ProviderChanges
  /** An entry for `providers` of a configuration. Name it after the one it stands in for. */
  provider(more?: Partial<OIDCConfig<Profile>>): OIDCConfig<Profile>
  /** From now on this goes wrong, too. */
  fail(failure: ProviderFailure): void
  /** From now on nothing does. */
  recover(): void
  /** Where a person is sent back to who was sent to an authorization URL and answered. */
  authorize(url: string | URL, how?: Authorization): URL
  /** A logout token, to be posted to `backchannel-logout`, as `logout_token`: ends what the claims name. */
  logoutToken(claims: { readonly sub?: string; readonly sid?: string }): Promise<string>
  /** Signs anything as the provider. */
  sign(claims: object, header?: TokenHeader): Promise<string>
  /** The public key that everything is signed with. */
  publicJwk(): JsonWebKey & { readonly kid: string }
  /** From now on everything is signed with a new key, and the old one is gone. */
  rotateKeys(): Promise<void>
}

/**
 * Creates an OpenID provider inside the test: discovery, PKCE, nonce, signed id_tokens, userinfo, refresh
 * tokens that are used once, revocation and logout, and failures on demand. Nothing listens anywhere; for a
 * browser, see {@link startFakeProvider}.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import { Visitor } from '@siteauth/testing'
 * import { createFakeProvider } from '@siteauth/testing/provider'
 * import { expect, it } from 'vitest'
 *
 * it('turns away a token for somebody else', async () => {
 *   const google = await createFakeProvider()
 *   const auth = createAuth({
 *     secret: 'a secret for tests, 32 characters',
 *     trustHost: true,
 *     providers: [google.provider({ id: 'google', name: 'Google' })],
 *   })
 *   const visitor = new Visitor(auth.handle)
 *   const started = await visitor.post('/signin/google')
 *   google.fail('wrong-audience')
 *   await visitor.send(google.authorize(started.headers.get('location') ?? '').href)
 *   expect(await visitor.session()).toBeNull()
 * })
 * ```
 */
export async function createFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  refuseProduction('createFakeProvider', options)
  const {
    issuer = 'https://provider.example.com',
    clientId = 'test-client',
    clientSecret = 'a secret of the client, for tests',
    people = PEOPLE,
    algorithm = 'ES256',
    tokenLifetime = 3600,
    automatic = false,
    now = Date.now,
  } = options
  const requests: SeenRequest[] = []
  const change: ProviderChanges = {}
  const grants = createGrants(options.issueToken)
  let failures: ProviderFailure[] = []
  let keyNumber = 1
  let key = await signingKey(algorithm, keyNumber)

  const inSeconds = () => Math.floor(now() / 1000)
  const fails = (failure: SignInFailure, grant?: Grant) =>
    failures.includes(failure) || grant?.failure === failure

  function authorize(to: string | URL, { as, failure }: Authorization = {}): URL {
    const { searchParams: asked } = new URL(to)
    const back = new URL(asked.get('redirect_uri') ?? '')
    if (!/^https?:$/.test(back.protocol)) throw new TypeError('redirect_uri must be a web address.')
    const isFailing = (name: SignInFailure) => fails(name) || failure === name
    const state = isFailing('wrong-state') ? 'of-another-sign-in' : asked.get('state')
    if (isFailing('denied')) back.searchParams.set('error', 'access_denied')
    else if (isFailing('unavailable')) back.searchParams.set('error', 'temporarily_unavailable')
    else back.searchParams.set('code', codeFor(asked, personOf(as), failure))
    if (state !== null) back.searchParams.set('state', state)
    const names = isFailing('wrong-response-issuer') ? otherThan(issuer) : issuer
    back.searchParams.set('iss', names)
    return back
  }

  function codeFor(
    asked: URLSearchParams,
    person: FakePerson,
    failure: SignInFailure | undefined,
  ): string {
    const grant = {
      person,
      sid: crypto.randomUUID(),
      scope: asked.get('scope') ?? 'openid',
      nonce: asked.get('nonce'),
      failure,
    }
    const challenge = asked.get('code_challenge')
    return grants.addCode({ grant, challenge, redirectUri: asked.get('redirect_uri') })
  }

  function personOf(as: Authorization['as'] = people[0]): FakePerson {
    if (typeof as !== 'string') return as
    const person = people.find(({ sub }) => sub === as)
    if (person) return person
    const names = people.map(({ sub }) => sub).join(', ')
    throw new Error(
      `Nobody here is "${as}", only: ${names}. Add them to the people of the provider.`,
    )
  }

  async function idTokenFor(grant: Grant): Promise<string> {
    const iat = inSeconds()
    const claims = {
      iss: fails('wrong-issuer', grant) ? otherThan(issuer) : issuer,
      aud: fails('wrong-audience', grant) ? `not ${clientId}` : clientId,
      iat,
      exp: fails('expired', grant) ? iat - 3600 : iat + 300,
      nonce: fails('wrong-nonce', grant) ? 'of-another-sign-in' : (grant.nonce ?? undefined),
      sid: grant.sid,
      ...grant.person,
    }
    const changed = change.claims?.(claims) ?? claims
    if (change.idToken) return change.idToken(changed)
    if (fails('unsigned', grant)) return unsignedToken(changed)
    const header = { alg: algorithm, kid: key.jwk.kid }
    const token = await key.sign(changed, change.header?.(header))
    return fails('bad-signature', grant) ? withOtherSubject(token) : token
  }

  async function answerToken(request: SeenRequest): Promise<Response> {
    if (!isClient(request, clientId, clientSecret)) return refusal('invalid_client', 401)
    const { body } = request
    const isRefresh = body.get('grant_type') === 'refresh_token'
    const grant = isRefresh
      ? grants.redeemRefreshToken(body.get('refresh_token') ?? '')
      : await grants.redeemCode(body)
    if (!grant || fails('invalid-grant', grant)) return refusal('invalid_grant', 400)
    const { access, refresh } = grants.addTokens(grant, now() + tokenLifetime * 1000)
    // A refreshed id_token repeats no nonce: OpenID Connect Core §12.2.
    const hasIdToken = !fails('no-id-token', grant)
    const tokens = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      refresh_token: refresh,
      scope: grant.scope,
      ...(hasIdToken && {
        id_token: await idTokenFor(isRefresh ? { ...grant, nonce: null } : grant),
      }),
    }
    return Response.json(change.tokens?.(tokens) ?? tokens)
  }

  function answerUserinfo({ headers }: SeenRequest): Response {
    const [, token = ''] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
    const grant = grants.openAccessToken(token, now())
    if (!grant) return refusal('invalid_token', 401)
    const { sub } = grant.person
    const profile = { ...grant.person, sub: fails('other-subject', grant) ? `not-${sub}` : sub }
    return Response.json(change.profile?.(profile) ?? profile)
  }

  /** For browsers: the page, and what its buttons do. */
  function answerAuthorize({ url, method, body }: SeenRequest): Response {
    if (method !== 'POST') {
      return automatic ? redirect(authorize(url)) : signInPage(people, url.searchParams)
    }
    const asked = new URL(url)
    asked.search = body.toString()
    const failure = body.getAll('failure').find(isSignInFailure)
    return redirect(authorize(asked, { as: body.get('as') ?? undefined, failure }))
  }

  function answerLogout({ url }: SeenRequest): Response {
    const to = url.searchParams.get('post_logout_redirect_uri')
    if (!to || !/^https?:/.test(to)) return signedOutPage()
    const back = new URL(to)
    const state = url.searchParams.get('state')
    if (state !== null) back.searchParams.set('state', state)
    return redirect(back)
  }

  function metadata(): Record<string, unknown> {
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: [algorithm],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    }
    return change.metadata?.(document) ?? document
  }

  function answerAt(endpoint: ProviderEndpoint, request: SeenRequest) {
    switch (endpoint) {
      case 'discovery':
        return Response.json(metadata())
      case 'jwks':
        return Response.json({ keys: [key.jwk] })
      case 'authorize':
        return answerAuthorize(request)
      case 'token':
        return answerToken(request)
      case 'userinfo':
        return answerUserinfo(request)
      case 'revoke':
        grants.revoke(request.body.get('token') ?? '')
        return new Response(null)
      case 'logout':
        return answerLogout(request)
    }
  }

  async function answer(
    request: SeenRequest,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    const instead = await change.answer?.(request)
    if (instead) return instead
    const endpoint = endpointOf(request.url, issuer)
    if (!endpoint) return new Response('not found', { status: 404 })
    const troubles = failures.filter(each => isTrouble(each, endpoint))
    for (const { delay } of troubles) if (delay) await delayed(delay, signal)
    const status = troubles.find(trouble => trouble.status)?.status
    return status ? new Response(null, { status }) : answerAt(endpoint, request)
  }

  async function ask(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.origin !== new URL(issuer).origin) {
      if (options.elsewhere) return options.elsewhere(input, init)
      throw new Error(
        `The fake provider at ${issuer} was asked for ${url.origin}. Pass its fetch to one provider, ` +
          'or say by `elsewhere` who answers for others.',
      )
    }
    const { method, headers } = request
    const seen = { url, method, headers, body: new URLSearchParams(await request.text()) }
    requests.push(seen)
    return answer(seen, request.signal)
  }

  return {
    issuer,
    clientId,
    clientSecret: clientSecret ?? '',
    fetch: ask,
    requests,
    change,
    provider: more => ({
      id: 'fake',
      name: 'Fake',
      type: 'oidc',
      issuer,
      clientId,
      ...(clientSecret === null ? {} : { clientSecret }),
      [customFetch]: ask,
      ...more,
    }),
    fail(failure) {
      failures.push(failure)
    },
    recover() {
      failures = []
    },
    authorize,
    logoutToken(claims) {
      const iat = inSeconds()
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const jti = crypto.randomUUID()
      const said = { iss: issuer, aud: clientId, iat, exp: iat + 120, jti, events, ...claims }
      return key.sign(said, { typ: 'logout+jwt' })
    },
    sign: (claims, header) => key.sign(claims, header),
    publicJwk: () => key.jwk,
    async rotateKeys() {
      keyNumber += 1
      key = await signingKey(algorithm, keyNumber)
    },
  }
}

function endpointOf({ pathname }: URL, issuer: string): ProviderEndpoint | null {
  const base = new URL(issuer).pathname.replace(/\/$/, '')
  if (!pathname.startsWith(base)) return null
  const path = pathname.slice(base.length)
  const isDiscovery = path === '/.well-known/openid-configuration'
  return isDiscovery ? 'discovery' : (ENDPOINTS.find(name => path === `/${name}`) ?? null)
}

const ENDPOINTS = ['jwks', 'authorize', 'token', 'userinfo', 'revoke', 'logout'] as const

function isTrouble(
  failure: ProviderFailure,
  endpoint: ProviderEndpoint,
): failure is EndpointFailure {
  return typeof failure === 'object' && (failure.endpoint ?? endpoint) === endpoint
}

/** RFC 6749 §2.3.1: in the header, or among the fields. */
function isClient({ headers, body }: SeenRequest, id: string, secret: string | null): boolean {
  if (secret === null) return true
  const [, basic = ''] = /^Basic (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const [name = '', word = ''] = Buffer.from(basic, 'base64')
    .toString()
    .split(':')
    .map(part => decodeURIComponent(part.replaceAll('+', ' ')))
  return (
    (name === id && word === secret) ||
    (body.get('client_id') === id && body.get('client_secret') === secret)
  )
}

function refusal(error: string, status: number): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } })
}

function redirect(to: URL): Response {
  return new Response(null, { status: 303, headers: { location: to.href } })
}

function otherThan(issuer: string): string {
  return issuer.replace('://', '://not-')
}

/** What somebody does who wants to be somebody else: other claims, and the signature as it was. */
function withOtherSubject(token: string): string {
  const [header, claims = '', signature] = token.split('.')
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...read, sub: `not-${read.sub}` }))
  return [header, changed.toString('base64url'), signature].join('.')
}
