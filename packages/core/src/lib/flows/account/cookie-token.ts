import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type RefreshAnswer, refreshTokens } from '../../oauth/token/refresh-tokens.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { type Demand, isGood, type KeptTokens } from '../../tokens/token-set.ts'
import {
  type CookieTokens,
  exchangeName,
  newestOf,
  tokenMembers,
  withoutExpiry,
} from '../cookies/exchanged-tokens.ts'
import { openCookie, storeCookie } from '../cookies/provider-tokens.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { type AccountTokens, RESPITE, sharedExchanges } from '../provider/token-runtime.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { accessTokenError } from './access-token-error.ts'
import { isOwnAccount } from './is-own-account.ts'

// Cookies know no "only if it is still the same": so within a process all who bring one refresh token get what it was
// exchanged for, and where no cookie can be set nothing is exchanged.

/** How long requests may bring a refresh token that was exchanged, in milliseconds. */
const GRACE = 60_000
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
  const name = await exchangeName(config, id, refresh_token)
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
      ...tokenMembers(answer.tokens),
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
