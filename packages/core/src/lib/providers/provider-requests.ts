import { InvalidEndpoints, OAuthCallbackError } from '../base/errors.ts'
import type { TokenSet } from '../base/user.ts'
import type { TokenRefreshContext, TokenRequestContext, UserinfoRequestContext } from './oauth.ts'
import { fillTemplate, fillTemplates, readPath, type TemplateValues } from './template.ts'

/** Sent with every request to a provider's API: some refuse callers that do not name themselves. */
const HEADERS = { accept: 'application/json', 'user-agent': 'siteauth' } as const

/** Asks a provider's API, and answers the JSON object that it sent. */
async function requestJson(
  fetch: typeof globalThis.fetch,
  url: URL | string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Record<string, unknown>> {
  const headers = { ...HEADERS, ...init.headers }
  const response = await fetch(url, { ...init, headers })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isRecord(body)) {
    const { host } = new URL(url)
    throw new OAuthCallbackError(
      `expected 200 and a JSON object from ${host}, got ${response.status}`,
      { cause: { status: response.status, ...errorOf(body) } },
    )
  }
  return body
}

/** Whether a value is an object with members to look at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The error in a body, by the names that providers use for it. */
function errorOf(body: unknown): { error?: string; description?: string } {
  if (!isRecord(body)) return {}
  // WeChat, where 0 means that all is well
  const errcode = body['errcode'] === 0 ? undefined : body['errcode']
  const error = body['error'] ?? errcode
  const description = body['error_description'] ?? body['errmsg'] ?? body['message']
  return {
    ...(typeof error === 'string' || typeof error === 'number' ? { error: String(error) } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

/**
 * A token request that does not follow RFC 6749. The members are templates over `{clientId}`,
 * `{clientSecret}`, `{redirectUri}`, `{codeVerifier}` and `{callback.…}`; those that cannot be
 * filled are left out.
 */
export interface TokenQuirks {
  /** GET sends the members in the query. */
  readonly method?: 'GET' | 'POST'
  readonly form: Readonly<Record<string, string>>
  /** A parameter that the provider wants again when tokens are refreshed: stored as `session_state`. */
  readonly keep?: string
}

/**
 * The same where tokens are refreshed. Here the templates are over `{clientId}`, `{clientSecret}`,
 * `{refreshToken}`, `{kept}`, which is what `keep` said, and `{nonce}`, which is new each time.
 */
export interface RefreshQuirks extends Omit<TokenQuirks, 'keep'> {
  /** Where, if not at the token endpoint. */
  readonly url?: string
  /** The provider's name for `invalid_grant`. */
  readonly ended?: readonly string[]
  /** Its name for `temporarily_unavailable`. */
  readonly busy?: readonly string[]
}

/**
 * Exchanges a code for tokens in the provider's own way. The engine checks and normalizes the result, like any
 * response of a token endpoint.
 */
export async function requestTokens(
  { provider, params, redirectUri, codeVerifier, fetch }: TokenRequestContext,
  quirks: TokenQuirks,
): Promise<TokenSet> {
  const { clientId, clientSecret } = provider
  const values = { clientId, clientSecret, redirectUri, codeVerifier, callback: params }
  const tokens = await requestJson(fetch, ...tokenRequest(tokenUrl(provider), quirks, values))
  const sessionState = quirks.keep && fillTemplate(quirks.keep, values)
  return sessionState ? { ...tokens, session_state: sessionState } : tokens
}

/** Exchanges a refresh token for new tokens, the same way. */
export async function refreshTokens(
  { provider, refreshToken, account, fetch }: TokenRefreshContext,
  quirks: RefreshQuirks,
): Promise<TokenSet> {
  const { clientId, clientSecret } = provider
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const sessionState = account.session_state
  const values = { clientId, clientSecret, refreshToken, kept: sessionState, nonce }
  const endpoint = quirks.url ?? tokenUrl(provider)
  const [url, init] = tokenRequest(endpoint, quirks, values)
  const response = await fetch(url, { ...init, headers: HEADERS })
  const body: unknown = await response.json().catch(() => undefined)
  const { error, description } = errorOf(body)
  if (error !== undefined && response.status < 500) {
    const word = quirks.ended?.includes(error)
      ? 'invalid_grant'
      : quirks.busy?.includes(error)
        ? 'temporarily_unavailable'
        : error
    return { error: word, ...(description !== undefined && { error_description: description }) }
  }
  if (response.ok && isRecord(body)) return body
  return { error: 'temporarily_unavailable', error_description: `status ${response.status}` }
}

function tokenUrl({ id, token }: TokenRequestContext['provider']): string {
  const endpoint = typeof token === 'string' ? token : token?.url
  if (!endpoint) throw new InvalidEndpoints(`provider ${id} has no token endpoint`)
  return endpoint
}

function tokenRequest(
  endpoint: string,
  { method = 'POST', form }: Pick<TokenQuirks, 'method' | 'form'>,
  values: TemplateValues,
): [URL, RequestInit & { headers?: Record<string, string> }] {
  const members = fillTemplates(form, values)
  const url = new URL(endpoint)
  if (method === 'POST') return [url, { method, body: new URLSearchParams(members) }]
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value)
  return [url, {}]
}

/**
 * How a profile is fetched, where a plain GET with a bearer token will not do. Texts are templates
 * over the provider's options, `{clientId}`, `{clientSecret}` and `{token.…}`.
 */
export interface UserinfoQuirks {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as JSON, as it is. */
  readonly json?: unknown
  /** The word in front of the token in the `Authorization` header; null for no such header. */
  readonly scheme?: 'Bearer' | 'OAuth' | null
  /** The part of the answer that is the profile. */
  readonly unwrap?: string
}

/** Fetches a profile the way a provider wants to be asked. */
export async function requestUserinfo<P>(
  { tokens, provider, fetch }: UserinfoRequestContext<P>,
  quirks: UserinfoQuirks,
  options: TemplateValues = {},
): Promise<P> {
  const { clientId, clientSecret } = provider
  const values = { ...options, clientId, clientSecret, token: tokens }
  const { scheme = 'Bearer', form, json } = quirks
  const url = userinfoUrl(provider)
  for (const [name, value] of Object.entries(fillTemplates(quirks.query ?? {}, values))) {
    url.searchParams.set(name, value)
  }
  const headers = fillTemplates(quirks.headers ?? {}, values)
  if (scheme) headers['authorization'] = `${scheme} ${tokens.access_token}`
  if (json !== undefined) headers['content-type'] = 'application/json'
  const body = form
    ? new URLSearchParams(fillTemplates(form, values))
    : json !== undefined && JSON.stringify(json)
  const method = quirks.method ?? (body ? 'POST' : 'GET')
  const response = await requestJson(fetch, url, { method, headers, ...(body ? { body } : {}) })
  // The shape is what the provider documents; `profile` reads it with care.
  return (quirks.unwrap ? readPath(response, quirks.unwrap) : response) as P
}

/** Where a provider's profile is, as the engine resolved it. */
export function userinfoUrl<P>(provider: UserinfoRequestContext<P>['provider']): URL {
  const endpoint: string | { url?: string | URL } | undefined = provider.userinfo
  const url = typeof endpoint === 'string' ? endpoint : endpoint?.url
  if (!url) throw new InvalidEndpoints(`provider ${provider.id} has no userinfo endpoint`)
  return new URL(url)
}
