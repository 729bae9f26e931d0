import type { Account, Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type CookieOption, clearCookie, type SetCookie } from '../../http/cookies.ts'
import { findSession } from '../../http/find-session-cookie.ts'
import { CHUNK_SIZE, clearSession, storeSession } from '../../http/write-session-cookie.ts'
import {
  type RefreshAnswer,
  readIdTokenNames,
  refreshTokens,
} from '../../oauth/token/refresh-tokens.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { NewSession, ProvenIdentity } from '../../session/store.ts'
import { type Demand, isGood, type KeptTokens, markOf } from '../../tokens/token-set.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { type AccountTokens, RESPITE, sharedExchanges } from '../provider/token-runtime.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { accessTokenError } from './access-token-error.ts'
import { isOwnAccount } from './is-own-account.ts'

// Without a store, tokens are in a sealed cookie for each provider. Cookies know no "only if it is still the
// same": so within a process all who bring one refresh token get what it was exchanged for, and where no
// cookie can be set nothing is exchanged.

/** What the cookie of a provider holds. */
interface CookieTokens extends AccountTokens {
  /** Whose session it belongs to: a cookie beside another session is of no use. */
  readonly userId: string
  /** What id_tokens call the person. */
  readonly subject?: string | undefined
  /** The issuer of the tokens: the id of the provider may be configured for another one by now. */
  readonly issuer?: string | undefined
  /** Whether it goes when the browser is closed, as its session does. */
  readonly isTemporary?: boolean | undefined
  /** Whether the provider no longer takes the refresh token. */
  readonly isEnded?: boolean
}

/** How long browsers keep any cookie at most, in seconds. Without its session it opens nothing. */
const LIFETIME = 400 * 86_400
/** How long requests may bring a refresh token that was exchanged, in milliseconds. */
const GRACE = 60_000
/** Most servers take 16 KB of headers, and there are other cookies. In characters. */
const LARGEST = 3 * CHUNK_SIZE
/** More than there are in that time, of tokens that live for a few seconds. */
const MOST_EXCHANGES = 50

/** The tokens in the cookie of a provider, refreshed if they are not as good as is asked. */
export async function cookieToken(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
  userId: string,
  demand: Demand & { readonly accountId?: string | undefined },
  { canSetCookies }: { readonly canSetCookies: boolean },
): Promise<{ readonly tokens: AccountTokens; readonly cookies: readonly SetCookie[] }> {
  const { id } = configured
  const { ports } = config
  const arrived = await openCookie(config, request, id)
  const isOwn =
    arrived?.userId === userId && arrived.provider === id && isOwnAccount(config, arrived)
  const isMeant = demand.accountId === undefined || demand.accountId === arrived?.providerAccountId
  if (!arrived || !isOwn || !isMeant) throw accessTokenError('no_account', id)
  if (isGood(arrived, demand, ports.now())) return { tokens: arrived, cookies: [] }
  const kept = await newestOf(config, arrived)
  // Where no cookie can be set, another response takes them to the browser.
  const keep = async (tokens: CookieTokens) =>
    canSetCookies && tokens !== arrived ? storeCookie(config, request, tokens) : []
  const useKept = async () => ({ tokens: kept, cookies: await keep(kept) })
  if (isGood(kept, demand, ports.now())) return useKept()
  const isOldGood = isGood(kept, { ...demand, minValidity: 0 }, ports.now())
  const { refresh_token, isEnded } = kept
  if (!refresh_token || isEnded) {
    if (isOldGood && !isEnded) return useKept()
    throw accessTokenError(isEnded ? 'invalid_grant' : 'no_refresh_token', id)
  }
  if (!canSetCookies) {
    if (isOldGood) return useKept()
    throw accessTokenError('store_read_only', id)
  }
  const name = await nameOf(config, id, refresh_token)
  const answer = await sharedExchanges().flights.join(name, () =>
    exchange(config, configured, { ...kept, refresh_token }, name, demand),
  )
  if (answer.ok) {
    const tokens = { ...withoutExpiry(kept), ...answer.tokens }
    return { tokens, cookies: await keep(tokens) }
  }
  const { why, cause } = answer
  if (why !== 'invalid_grant') {
    if (isOldGood) return useKept()
    throw accessTokenError(why, id, cause)
  }
  throw new Failure(accessTokenError(why, id, cause), await keep({ ...kept, isEnded: true }))
}

/** What the refresh token of a cookie was exchanged for since, in this process: perhaps more than once. */
async function newestOf(config: ResolvedConfig, arrived: CookieTokens): Promise<CookieTokens> {
  const now = config.ports.now()
  let newest = arrived
  // Not for ever: a provider might come back to one that it gave before.
  for (let times = 0; times < MOST_EXCHANGES; times++) {
    const { refresh_token } = newest
    if (!refresh_token) return newest
    const name = await nameOf(config, newest.provider, refresh_token)
    const newer = sharedExchanges().exchanged.get(name, now)
    if (!newer) return newest
    newest = { ...withoutExpiry(newest), ...newer }
    // The provider does not rotate.
    if (newest.refresh_token === refresh_token) return newest
  }
  return newest
}

/** The name of an exchange. With an audience, others that come upon the same text do not get the tokens. */
async function nameOf(
  { audience }: Pick<ResolvedConfig, 'audience'>,
  provider: string,
  refreshToken: string,
): Promise<string> {
  const mark = await markOf(refreshToken)
  return JSON.stringify(audience === undefined ? [provider, mark] : [provider, mark, audience])
}

type Exchanged =
  | { readonly ok: true; readonly tokens: KeptTokens }
  | Extract<RefreshAnswer, { readonly ok: false }>

/** Exchanges a refresh token, once for all who bring it within a while. */
async function exchange(
  config: ResolvedConfig,
  configured: OAuthConfig<Profile>,
  kept: CookieTokens & { readonly refresh_token: string },
  name: string,
  { rejectedToken }: Demand,
): Promise<Exchanged> {
  const { ports, logger, events } = config
  const { exchanged, failed } = sharedExchanges()
  const known = exchanged.get(name, ports.now())
  if (known && isGood(known, { minValidity: 0, rejectedToken }, ports.now())) {
    return { ok: true, tokens: known }
  }
  const recent = failed.get(name, ports.now())
  if (recent) return recent
  const { servers, resolve } = oauthRuntime(config)
  const answer = await refreshTokens(resolve(configured), kept, servers, ports.now())
  if (answer.ok) {
    const { dpopKey } = answer
    const tokens = {
      ...keptOf(answer.tokens),
      ...(dpopKey !== undefined && { dpop_key: dpopKey }),
      issued_at: Math.floor(ports.now() / 1000),
    }
    exchanged.set(name, tokens, ports.now() + GRACE)
    return { ok: true, tokens }
  }
  const { userId, provider, providerAccountId } = kept
  const error = accessTokenError(answer.why, provider, answer.cause)
  const account = { provider, providerAccountId }
  const isEnded = answer.why === 'invalid_grant'
  // Requests may bring one that has ended for as long as one that was exchanged.
  failed.set(name, answer, ports.now() + (isEnded ? GRACE : RESPITE))
  if (!isEnded) logger.error(error)
  else await events.accountError?.({ user: { id: userId }, account, error })
  return answer
}

/** The cookies that keep the tokens of a sign-in, in place of those of an earlier one. */
export async function keepTokens(
  config: ResolvedConfig,
  request: Incoming,
  { account, dpopKey }: Pick<ProvenIdentity, 'account' | 'dpopKey'>,
  { userId, isTemporary }: Pick<NewSession, 'userId' | 'isTemporary'>,
): Promise<readonly SetCookie[]> {
  const { provider, providerAccountId } = account
  const others = clearTokens(request, provider)
  if (userId === null || (account.type !== 'oauth' && account.type !== 'oidc')) {
    return clearTokens(request)
  }
  const found = await openCookie(config, request, provider)
  const earlier = found && (await newestOf(config, found))
  const isSame = earlier?.userId === userId && earlier.providerAccountId === providerAccountId
  // Many providers give a refresh token only when a person first agrees.
  const refresh_token = account.refresh_token ?? (isSame ? earlier?.refresh_token : undefined)
  const tokens = {
    ...keptOf(account),
    ...(refresh_token !== undefined && { refresh_token }),
    ...heardAgain(config, account),
    userId,
    provider,
    providerAccountId,
    isTemporary,
    dpop_key: dpopKey,
    ...readNames(config, account),
  }
  return [...others, ...(await storeCookie(config, request, tokens))]
}

/** The cookies that remove all tokens, or all but those of one provider. */
export function clearTokens(request: Incoming, except?: string): readonly SetCookie[] {
  const { tokens } = request.cookieOptions
  const kept = except === undefined ? undefined : cookieOf(request, except).name
  return Object.keys(request.cookies)
    .filter(name => name.startsWith(`${tokens.name}.`) && !isPartOf(name, kept))
    .map(name => clearCookie(tokens, name))
}

/** The providers whose tokens came along. */
export function keptProviders(
  { providers }: ResolvedConfig,
  request: Incoming,
): readonly OAuthConfig<Profile>[] {
  const header = request.headers.get('cookie')
  const arrived = [...providers.values()].filter(
    ({ id }) => findSession(header, cookieOf(request, id).name) !== null,
  )
  // Only theirs are kept, and sealed for their very name.
  return arrived.filter(isOAuth) as readonly OAuthConfig<Profile>[]
}

function isPartOf(name: string, whole: string | undefined): boolean {
  if (whole === undefined || !name.startsWith(whole)) return false
  return /^(\.\d+)?$/.test(name.slice(whole.length))
}

function cookieOf({ cookieOptions }: Incoming, provider: string): CookieOption {
  const { name, options } = cookieOptions.tokens
  return { name: `${name}.${encodeURIComponent(provider)}`, options }
}

/** What the cookie of a provider holds; null if there is none that was sealed here. */
export async function openCookie(
  { sealerFor, ports }: ResolvedConfig,
  request: Incoming,
  provider: string,
): Promise<CookieTokens | null> {
  const { name } = cookieOf(request, provider)
  const arrived = findSession(request.headers.get('cookie'), name)
  const opened = arrived && (await sealerFor(name).open(arrived.token, ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { iat, exp: _, jti: __, ...tokens } = opened.claims
  // Sealed by us, and for this cookie alone.
  return { ...(tokens as unknown as CookieTokens), issued_at: Number(iat) }
}

async function storeCookie(
  { sealerFor, ports, logger }: ResolvedConfig,
  request: Incoming,
  tokens: CookieTokens,
): Promise<readonly SetCookie[]> {
  const now = ports.now()
  const cookie = cookieOf(request, tokens.provider)
  const arrived = findSession(request.headers.get('cookie'), cookie.name)?.names ?? []
  const { issued_at: _, ...claims } = tokens
  const sealed = await sealerFor(cookie.name).seal(claims, LIFETIME, now)
  if (sealed.length > LARGEST) {
    logger.warn('tokens-too-large')
    return clearSession(cookie, arrived)
  }
  return storeSession(
    cookie,
    {
      token: sealed,
      expires: new Date(now + LIFETIME * 1000),
      isTemporary: tokens.isTemporary ?? false,
    },
    arrived,
  )
}

/** The names of the person and of the issuer: without an id_token that was checked, the configured issuer. */
function readNames(
  { providers }: ResolvedConfig,
  { provider, id_token }: Account,
): Pick<CookieTokens, 'subject' | 'issuer'> {
  const { type, issuer } = providers.get(provider) as OAuthConfig<Profile> // it has signed somebody in
  const names = id_token === undefined ? {} : readIdTokenNames(id_token)
  return type === 'oidc' ? names : { ...names, issuer: issuer || undefined }
}

/** What only providers are told again that refresh in their own way. */
function heardAgain(
  { providers }: ResolvedConfig,
  { provider, session_state }: Account,
): Pick<KeptTokens, 'session_state'> {
  const configured = providers.get(provider) as OAuthConfig<Profile> | undefined // it has signed somebody in
  const token = configured?.token
  const isWanted = typeof token === 'object' && token.refresh !== undefined
  return isWanted && session_state !== undefined ? { session_state } : {}
}

/** As little as is needed: cookies travel with every request. */
function keptOf(tokens: KeptTokens): KeptTokens {
  const { access_token, refresh_token, expires_at, scope, token_type } = tokens
  const entries = Object.entries({ access_token, refresh_token, expires_at, scope, token_type })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) // some of them
}

function withoutExpiry({ expires_at: _, ...tokens }: CookieTokens): CookieTokens {
  return tokens
}
