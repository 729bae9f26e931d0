import type { AuthEvent } from '../base/callbacks.ts'
import { InvalidRequest, untrustedHost } from '../base/errors.ts'
import type { Profile } from '../base/user.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { foreignCall, isForeignCall } from '../csrf/foreign-request.ts'
import type { ListedSession } from '../devices/listed-session.ts'
import type { AccessTokenOptions, AccessTokenResponse } from '../flows/account/get-access-token.ts'
import type { ListedAccount, NamedAccount } from '../flows/account/list-accounts.ts'
import type { ProviderFetchResult, ProviderRequest } from '../flows/account/provider-fetch.ts'
import type { UnlinkOptions, UnlinkResponse } from '../flows/account/unlink-account.ts'
import { pageUrl, publicPath } from '../flows/request/endpoint-url.ts'
import { asFailure, logFailure } from '../flows/request/failure.ts'
import { type Incoming, receive } from '../flows/request/incoming.ts'
import { reportEvents } from '../flows/request/report-events.ts'
import type { EndedSessionsResponse } from '../flows/session/end-sessions.ts'
import type { SessionEndListener, SessionEndOptions } from '../flows/session/on-session-end.ts'
import { parseCookies } from '../http/cookie-text.ts'
import type { SetCookie } from '../http/cookies.ts'
import { resolveOrigin } from '../http/origin.ts'
import type { Fields, Sender, SentHeaders } from '../http/request.ts'
import { isHeaders, type RequestHeaders, readHeader } from '../http/request-headers.ts'
import { type OutgoingJson, type OutgoingRedirect, redirect } from '../http/response.ts'
import { isWellFormed } from '../http/well-formed.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { PublicProvider } from '../providers/provider.ts'

// Calls of the application itself. There is no form with a token of ours, so the browser's own headers decide whether
// one of its pages led here.

/** The request of a browser, on behalf of which the application calls. */
export interface CallingRequest {
  readonly headers: SentHeaders
  /** The headers as this server receives them. Configured values, and those of a trusted proxy, win. */
  readonly protocol: string
  readonly host: string
  /** Known to servers that have a connection to the visitor or to a proxy. */
  readonly sender?: (() => Sender) | undefined
}

/** How a user signs in. */
export interface SignInRequest {
  /** Undefined, unknown, or one that only works in the browser: the visitor goes to the sign-in page. */
  readonly provider?: string | undefined
  /** The fields that the provider needs: an address, a name and a password. */
  readonly fields?: Fields | undefined
  /** Where to go then: a path of the application, or a URL. Defaults to the page that the visitor is on. */
  readonly redirectTo?: string | undefined
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  readonly remember?: boolean | undefined
  /** More parameters for the authorization request of an OAuth provider. */
  readonly authorizationParams?: ConstructorParameters<typeof URLSearchParams>[0]
}

/** How a user signs out. */
export interface SignOutRequest {
  /** Where to go then: a path of the application, or a URL. Defaults to the page that the visitor is on. */
  readonly redirectTo?: string | undefined
}

/** Lets the request in on behalf of which the application calls. Throws where its host is not trusted. */
export function receiveCall(config: ResolvedConfig, request: CallingRequest): Incoming {
  const { headers, protocol, host, sender } = request
  const { origin, untrusted } = resolveOrigin(config.origin, config.trustHost, {
    header: name => headers.get(name),
    protocol,
    host,
    sender,
  })
  if (origin === undefined) throw untrustedHost(untrusted)
  return receive(config, {
    method: 'POST',
    origin,
    url: new URL(origin),
    query: {},
    body: {},
    form: new URLSearchParams(),
    headers,
    cookies: parseCookies(headers.get('cookie')),
    sender,
  })
}

/** The same for a request as `getSession` takes it. */
export function receiveRequest(
  config: ResolvedConfig,
  { headers, url }: { readonly headers: RequestHeaders; readonly url?: string | undefined },
  cookieHeader?: string,
): Incoming {
  // Node's requests have a path there.
  const isWhole = url !== undefined && URL.canParse(url)
  const { protocol, host } = isWhole ? new URL(url) : { protocol: 'http:', host: '' }
  const sent = withCookieHeader(sentHeaders(headers), cookieHeader)
  return receiveCall(config, { headers: sent, protocol, host })
}

/** The headers with other cookies than the browser sent, as after a call that has set some. */
function withCookieHeader(headers: SentHeaders, cookieHeader: string | undefined): SentHeaders {
  if (cookieHeader === undefined) return headers
  const copy = new Headers([...headers])
  copy.set('cookie', cookieHeader)
  return copy
}

function sentHeaders(headers: RequestHeaders): SentHeaders {
  if (isHeaders(headers)) return headers
  // A name that starts with a colon is not a header: HTTP/2 sends path and method like this.
  const names = Object.keys(headers).filter(
    name => headers[name] !== undefined && !name.startsWith(':'),
  )
  return {
    get: name => readHeader(headers, name),
    has: name => headers[name] !== undefined,
    *[Symbol.iterator]() {
      for (const name of names) yield [name, readHeader(headers, name) ?? '']
    },
  }
}

/** Whether signing in begins on the server, and so sets cookies; otherwise it begins on the sign-in page. */
export function beginsOnServer(config: ResolvedConfig, { provider }: SignInRequest): boolean {
  const type = provider === undefined ? undefined : config.providers.get(provider)?.type
  return type !== undefined && type !== 'webauthn'
}

/** Signs a user in, or begins to. Returns the URL to continue at. */
export async function signIn(
  config: ResolvedConfig,
  incoming: Incoming,
  requested: SignInRequest = {},
): Promise<OutgoingRedirect> {
  const callbackUrl = requestedReturn(config, incoming, requested)
  const provider = config.providers.get(requested.provider ?? '')
  if (!provider || provider.type === 'webauthn') {
    return redirect(pageUrl(config, incoming.origin, 'signIn', { callbackUrl }))
  }
  const path = `${provider.type === 'credentials' ? 'callback' : 'signin'}/${encodeURIComponent(provider.id)}`
  const request = atEndpoint(config, incoming, path, {
    body: { remember: requested.remember, ...requested.fields, callbackUrl },
    query: new URLSearchParams(requested.authorizationParams),
  })
  return run(config, incoming, async () => {
    switch (provider.type) {
      case 'credentials': {
        const { signInWithCredentials } = await import(
          '../flows/sign-in/sign-in-with-credentials.ts'
        )
        return signInWithCredentials(config, request, provider)
      }
      case 'password': {
        const { signInWithPassword } = await import('../flows/password/sign-in-with-password.ts')
        return signInWithPassword(config, request, provider)
      }
      case 'email': {
        const { startEmail } = await import('../flows/email/start-email.ts')
        return startEmail(config, request, provider)
      }
      default: {
        const { startOAuth } = await import('../flows/oauth/start-oauth.ts')
        return startOAuth(config, request, provider as OAuthConfig<Profile>) // as in the table of routes
      }
    }
  })
}

/** Signs the visitor out: ends the session and clears its cookie. Returns the URL to continue at. */
export async function signOut(
  config: ResolvedConfig,
  incoming: Incoming,
  requested: SignOutRequest = {},
): Promise<OutgoingRedirect> {
  const body = { callbackUrl: requestedReturn(config, incoming, requested) }
  return run(config, incoming, async () => {
    const { signOutByCall } = await import('../flows/sign-out/sign-out.ts')
    return signOutByCall(config, atEndpoint(config, incoming, 'signout', { body }))
  })
}

/** Passes changes to the application's callbacks. Returns the session that results, or null. */
export async function update(
  config: ResolvedConfig,
  incoming: Incoming,
  changes: unknown,
): Promise<OutgoingJson> {
  return run(config, incoming, async () => {
    const { updateSession } = await import('../flows/session/update-session.ts')
    return updateSession(
      config,
      atEndpoint(config, incoming, 'session', { body: { data: changes } }),
    )
  })
}

/** Gives the session a new token. Returns the session, or null if the visitor is not signed in. */
export async function rotate(config: ResolvedConfig, incoming: Incoming): Promise<OutgoingJson> {
  return run(config, incoming, async () => {
    const { rotateSession } = await import('../flows/session/rotate-session.ts')
    return rotateSession(config, atEndpoint(config, incoming, 'session', { body: {} }))
  })
}

/** The ways to sign in, in the order of the configuration. */
export async function listProviders(
  config: ResolvedConfig,
  incoming: Incoming,
): Promise<readonly PublicProvider[]> {
  const flows = await import('../flows/sign-in/list-providers.ts')
  return flows.listProviders(config, incoming)
}

/** The visitor's sessions, the most recently seen first. Empty if the visitor is not signed in. */
export async function listSessions(
  config: ResolvedConfig,
  incoming: Incoming,
): Promise<readonly ListedSession[]> {
  const flows = await import('../flows/session/list-sessions.ts')
  return flows.listSessions(config, incoming)
}

/** Ends one session of the visitor, by its handle. */
export async function endSession(
  config: ResolvedConfig,
  incoming: Incoming,
  handle: string,
): Promise<EndedSessionsResponse> {
  return run(config, incoming, async () => {
    const flows = await import('../flows/session/end-sessions.ts')
    return flows.endSession(
      config,
      atEndpoint(config, incoming, 'sessions/end', { body: {} }),
      handle,
    )
  })
}

/** Ends all sessions of the visitor but this one. */
export async function endOtherSessions(
  config: ResolvedConfig,
  incoming: Incoming,
): Promise<EndedSessionsResponse> {
  return run(config, incoming, async () => {
    const flows = await import('../flows/session/end-sessions.ts')
    return flows.endOtherSessions(config, incoming)
  })
}

/** Calls a listener when the session of the visitor is over. Returns how to stop listening. */
export async function onSessionEnd(
  config: ResolvedConfig,
  incoming: Incoming,
  listener: SessionEndListener,
  options?: SessionEndOptions,
): Promise<() => void> {
  const flows = await import('../flows/session/on-session-end.ts')
  return flows.onSessionEnd(config, incoming, listener, options)
}

/**
 * An access token of the visitor, for calls to a provider's API. Throws an `AccessTokenError` where there is
 * none, and what else it failed with.
 */
export async function getAccessToken(
  config: ResolvedConfig,
  incoming: Incoming,
  provider: string,
  options?: AccessTokenOptions,
  cookieOptions?: { readonly canSetCookies: boolean },
): Promise<AccessTokenResponse> {
  const flows = await import('../flows/account/get-access-token.ts')
  return flows.getAccessToken(config, incoming, provider, options, cookieOptions)
}

/** Refreshes tokens in cookies that are about to expire, for pages that cannot. Returns the cookies to set. */
export async function refreshAhead(
  config: ResolvedConfig,
  incoming: Incoming,
): Promise<readonly SetCookie[]> {
  if (!config.storesTokens) return []
  return (await import('../flows/account/refresh-ahead.ts')).refreshAhead(config, incoming)
}

/** Asks a provider's API with the access token of the visitor. */
export async function providerFetch(
  config: ResolvedConfig,
  incoming: Incoming,
  request: ProviderRequest,
  cookieOptions: { readonly canSetCookies: boolean } = { canSetCookies: true },
): Promise<ProviderFetchResult> {
  const flows = await import('../flows/account/provider-fetch.ts')
  return flows.providerFetch(config, incoming, request, cookieOptions)
}

/** The visitor's accounts, without their tokens. Empty if the visitor is not signed in. */
export async function listAccounts(
  config: ResolvedConfig,
  incoming: Incoming,
): Promise<readonly ListedAccount[]> {
  const flows = await import('../flows/account/list-accounts.ts')
  return flows.listAccounts(config, incoming)
}

/** Removes an account of the visitor, unless it is the only way to sign in as this user. */
export async function unlinkAccount(
  config: ResolvedConfig,
  incoming: Incoming,
  account: NamedAccount,
  options?: UnlinkOptions,
): Promise<UnlinkResponse> {
  return run(config, incoming, async () => {
    const flows = await import('../flows/account/unlink-account.ts')
    return flows.unlinkAccount(config, incoming, account, options)
  })
}

/** Runs a flow for a page of this application, reports the events that it has caused, and logs what it fails with. */
export async function run<Result extends { readonly events?: readonly AuthEvent[] }>(
  config: ResolvedConfig,
  { headers, origin }: Incoming,
  flow: () => Promise<Result>,
): Promise<Result> {
  try {
    if (isForeignCall(headers, origin, config.trustedOrigins)) throw foreignCall(headers, origin)
    const result = await flow()
    await reportEvents(config.events, result.events ?? [])
    return result
  } catch (error) {
    logFailure(config.logger, asFailure(error).reason)
    throw error
  }
}

/** The request as if it had come to an endpoint: that is what flows and the application's functions know. */
export function atEndpoint(
  config: ResolvedConfig,
  incoming: Incoming,
  path: string,
  { body, query = new URLSearchParams() }: { body: Fields; query?: URLSearchParams },
): Incoming {
  const url = new URL(`${incoming.origin}${config.paths.route}/${path}`)
  url.search = query.toString()
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  if (given.some(([, value]) => typeof value === 'string' && !isWellFormed(value))) {
    throw new InvalidRequest('A field contains half of a surrogate pair.')
  }
  return {
    ...incoming,
    url,
    query: Object.fromEntries(query),
    // Without a prototype, as what is sent: no field can be mistaken for one that was given.
    body: Object.assign(Object.create(null), Object.fromEntries(given)),
  }
}

/**
 * The URL to continue at: the one that the application names, otherwise the page of this site that the visitor is on.
 */
export function requestedReturn(
  config: ResolvedConfig,
  { headers, origin }: Incoming,
  { redirectTo, fields }: Pick<SignInRequest, 'redirectTo' | 'fields'>,
): string {
  // In a form, there may be a file by this name.
  if (typeof redirectTo === 'string' && redirectTo !== '') return publicPath(config, redirectTo)
  const fromForm = fields?.['callbackUrl']
  if (typeof fromForm === 'string' && fromForm !== '') return fromForm
  const referer = headers.get('referer')
  // Pages of other sites send forms, too.
  const isOwn = referer !== null && URL.canParse(referer) && new URL(referer).origin === origin
  return isOwn ? referer : publicPath(config, '/')
}
