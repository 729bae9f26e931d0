import {
  AccessTokenError,
  type AccessTokenErrorCode,
  InvalidProvider,
  InvalidRequest,
} from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { json, type Outgoing, type OutgoingJson } from '../../http/response.ts'
import { getUserPrincipal } from '../../principal/get-principal.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { isGood } from '../../tokens/token-set.ts'
import { setTokenError } from '../cookies/token-error.ts'
import { type AccountTokens, tokenRuntime } from '../provider/token-runtime.ts'
import { asFailure, Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { accessTokenError } from './access-token-error.ts'
import { storedToken } from './stored-token.ts'

/** Which access token is needed. */
export interface AccessTokenOptions {
  /**
   * How many more seconds the token must remain valid. Defaults to 60. A token that lives for less than twice
   * as long is refreshed at half of its life.
   */
  readonly minValiditySeconds?: number | undefined
  /** Which account, if the user has several at the provider: see `accounts.list`. */
  readonly accountId?: string | undefined
  /** An access token that the provider rejected, as with 401: you get another one. */
  readonly rejectedToken?: string | undefined
}

/** A token to call a provider's API with. */
export interface AccessToken {
  readonly accessToken: string
  /** How it is to be sent: `bearer`, nearly always. */
  readonly tokenType: string
  /** When it expires. Null if the provider did not say. */
  readonly expiresAt: Date | null
  /** The scopes that the person agreed to, if the provider named them. */
  readonly scopes: readonly string[]
  readonly provider: string
  /** The person's id at the provider. */
  readonly accountId: string
}

/** A token, and the cookies that keep what came with it. */
export interface AccessTokenResponse extends OutgoingJson {
  readonly body: AccessToken
}

/** In seconds. */
export const DEFAULT_VALIDITY = 60

/**
 * Returns an access token of the user who is signed in, refreshed if necessary. Throws an `AccessTokenError` if there
 * is none. The user stays signed in.
 */
export async function getAccessToken(
  config: ResolvedConfig,
  request: Incoming,
  providerId: string,
  options: AccessTokenOptions = {},
  cookieOptions: { readonly canSetCookies: boolean } = { canSetCookies: true },
): Promise<AccessTokenResponse> {
  const { tokens, cookies } = await freshTokens(config, request, providerId, options, cookieOptions)
  return toResponse(tokens, cookies)
}

/** Tokens that are good, and the cookies that keep what came with them. */
export interface FreshTokens {
  readonly tokens: AccountTokens
  readonly cookies: readonly SetCookie[]
}

/** The same with all that is known of them. For the server alone. */
export async function freshTokens(
  config: ResolvedConfig,
  request: Incoming,
  providerId: string,
  options: AccessTokenOptions,
  cookieOptions: { readonly canSetCookies: boolean },
): Promise<FreshTokens> {
  try {
    return await findToken(config, request, providerId, options, cookieOptions)
  } catch (error) {
    const { reason, cookies } = asFailure(error)
    const isEnded = reason instanceof AccessTokenError && reason.code === 'invalid_grant'
    if (!isEnded || !config.showsTokenErrors) throw error
    throw new Failure(reason, [...cookies, setTokenError(request)])
  }
}

async function findToken(
  config: ResolvedConfig,
  request: Incoming,
  providerId: string,
  options: AccessTokenOptions,
  cookieOptions: { readonly canSetCookies: boolean },
): Promise<FreshTokens> {
  const provider = requireProvider(config, providerId)
  const principal = await getUserPrincipal(config, request)
  if (!principal) throw accessTokenError('not_signed_in', providerId)
  const { minValiditySeconds: minValidity = DEFAULT_VALIDITY } = options
  const { accountId, rejectedToken } = options
  if (!(minValidity >= 0)) {
    throw new InvalidRequest(
      `minValiditySeconds: expected a number of seconds, 0 or greater, found ${minValidity}.`,
    )
  }
  const requirements = { minValidity, accountId, rejectedToken }
  const { adapter, account, ports } = config
  if (!adapter) {
    if (!config.storesTokens) throw accessTokenError('tokens_not_stored', providerId)
    const { cookieToken } = await import('./cookie-token.ts')
    return cookieToken(config, request, provider, principal.userId, requirements, cookieOptions)
  }
  // By session, so that a user who has just agreed to more gets the token that allows it.
  const name = JSON.stringify([principal.session.cacheKey, providerId, accountId ?? null])
  const { read } = tokenRuntime(config)
  const cached = read.get(name, ports.now())
  if (cached && isGood(cached, requirements, ports.now())) {
    return { tokens: cached, cookies: [] }
  }
  const tokens = await storedToken(config, adapter, provider, principal.userId, requirements)
  const { tokenCacheMilliseconds } = account
  if (tokenCacheMilliseconds > 0) read.set(name, tokens, ports.now() + tokenCacheMilliseconds)
  return { tokens, cookies: [] }
}

/** `GET access-token`, for the providers that the application opens it for. */
export async function accessTokenEndpoint(
  config: ResolvedConfig,
  request: Incoming,
  { id }: OAuthConfig<Profile>,
): Promise<Outgoing> {
  if (!config.account.exposed.includes(id)) return json({ message: 'Not found.' }, 404)
  const { accountId, minValiditySeconds = DEFAULT_VALIDITY } = request.query
  const seconds = Number(minValiditySeconds)
  const isSpan = Number.isFinite(seconds) && seconds >= 0 && seconds <= MAX_VALIDITY
  if (!isSpan) return json({ message: 'Bad request.' }, 400)
  try {
    return await getAccessToken(config, request, id, { accountId, minValiditySeconds: seconds })
  } catch (error) {
    const { reason, cookies } = asFailure(error)
    if (!(reason instanceof AccessTokenError)) throw error
    const { code } = reason
    return json({ message: 'There is no access token.', code }, STATUS[code], cookies)
  }
}

const MAX_VALIDITY = 86_400

const STATUS: Readonly<Record<AccessTokenErrorCode, number>> = {
  not_signed_in: 401,
  no_refresh_token: 403,
  invalid_grant: 403,
  no_account: 404,
  ambiguous_account: 409,
  refused: 502,
  tokens_not_stored: 503,
  store_read_only: 503,
  unavailable: 503,
}

function requireProvider(config: ResolvedConfig, id: string): OAuthConfig<Profile> {
  const provider = config.providers.get(id)
  if (provider?.type === 'oauth' || provider?.type === 'oidc') {
    return provider as OAuthConfig<Profile> // as its type states
  }
  const all = [...config.providers.values()].filter(
    ({ type }) => type === 'oauth' || type === 'oidc',
  )
  throw new InvalidProvider(
    `There is no OAuth provider ${JSON.stringify(id)}. The configured ones are: ${all.map(each => each.id).join(', ')}.`,
  )
}

function toResponse(
  { access_token = '', token_type, expires_at, scope, provider, providerAccountId }: AccountTokens,
  cookies: readonly SetCookie[],
): AccessTokenResponse {
  const body = {
    accessToken: access_token,
    tokenType: token_type ?? 'bearer',
    expiresAt: typeof expires_at === 'number' ? new Date(expires_at * 1000) : null,
    scopes: scope?.split(/[\s,]+/).filter(each => each !== '') ?? [],
    provider,
    accountId: providerAccountId,
  }
  return { kind: 'json', status: 200, body, cookies }
}
