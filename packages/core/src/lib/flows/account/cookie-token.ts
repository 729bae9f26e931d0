import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type RefreshResult, refreshTokens } from '../../oauth/token/refresh-tokens.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { isGood, type StoredTokens, type TokenRequirements } from '../../tokens/token-set.ts'
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
  requirements: TokenRequirements & { readonly accountId?: string | undefined },
  { canSetCookies }: { readonly canSetCookies: boolean },
): Promise<{ readonly tokens: AccountTokens; readonly cookies: readonly SetCookie[] }> {
  const { id } = configured
  const { ports } = config
  const received = await openCookie(config, request, id)
  const isOwn =
    received?.userId === userId && received.provider === id && isOwnAccount(config, received)
  const isMeant =
    requirements.accountId === undefined || requirements.accountId === received?.providerAccountId
  if (!received || !isOwn || !isMeant) throw accessTokenError('no_account', id)
  if (isGood(received, requirements, ports.now())) return { tokens: received, cookies: [] }
  const stored = await newestOf(config, received)
  // Where no cookie can be set, another response takes them to the browser.
  const store = async (tokens: CookieTokens) =>
    canSetCookies && tokens !== received ? storeCookie(config, request, tokens) : []
  const useStored = async () => ({ tokens: stored, cookies: await store(stored) })
  if (isGood(stored, requirements, ports.now())) return useStored()
  const isOldGood = isGood(stored, { ...requirements, minValidity: 0 }, ports.now())
  const { refresh_token, isEnded } = stored
  if (!refresh_token || isEnded) {
    if (isOldGood && !isEnded) return useStored()
    throw accessTokenError(isEnded ? 'invalid_grant' : 'no_refresh_token', id)
  }
  if (!canSetCookies) {
    if (isOldGood) return useStored()
    throw accessTokenError('store_read_only', id)
  }
  const name = await exchangeName(config, id, refresh_token)
  const result = await sharedExchanges().sharedCalls.join(name, () =>
    exchange(config, configured, { ...stored, refresh_token }, name, requirements),
  )
  if (result.ok) {
    const tokens = { ...withoutExpiry(stored), ...result.tokens }
    return { tokens, cookies: await store(tokens) }
  }
  const { reason, cause } = result
  if (reason !== 'invalid_grant') {
    if (isOldGood) return useStored()
    throw accessTokenError(reason, id, cause)
  }
  throw new Failure(accessTokenError(reason, id, cause), await store({ ...stored, isEnded: true }))
}

type Exchanged =
  | { readonly ok: true; readonly tokens: StoredTokens }
  | Extract<RefreshResult, { readonly ok: false }>

/** Exchanges a refresh token, once for all who bring it within a while. */
async function exchange(
  config: ResolvedConfig,
  configured: OAuthConfig<Profile>,
  stored: CookieTokens & { readonly refresh_token: string },
  name: string,
  { rejectedToken }: TokenRequirements,
): Promise<Exchanged> {
  const { ports, logger, events } = config
  const { exchanged, failed } = sharedExchanges()
  const shared = exchanged.get(name, ports.now())
  if (shared && isGood(shared, { minValidity: 0, rejectedToken }, ports.now())) {
    return { ok: true, tokens: shared }
  }
  const recent = failed.get(name, ports.now())
  if (recent) return recent
  const { servers, resolve } = oauthRuntime(config)
  const result = await refreshTokens(resolve(configured), stored, servers, ports.now())
  if (result.ok) {
    const { dpopKey } = result
    const tokens = {
      ...tokenMembers(result.tokens),
      ...(dpopKey !== undefined && { dpop_key: dpopKey }),
      issued_at: Math.floor(ports.now() / 1000),
    }
    exchanged.set(name, tokens, ports.now() + GRACE)
    return { ok: true, tokens }
  }
  const { userId, provider, providerAccountId } = stored
  const error = accessTokenError(result.reason, provider, result.cause)
  const account = { provider, providerAccountId }
  const isEnded = result.reason === 'invalid_grant'
  // Requests may bring one that has ended for as long as one that was exchanged.
  failed.set(name, result, ports.now() + (isEnded ? GRACE : RESPITE))
  if (!isEnded) logger.error(error)
  else await events.accountError?.({ user: { id: userId }, account, error })
  return result
}
