import type { Account, Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type CookieOption, clearCookie, type SetCookie } from '../../http/cookies.ts'
import { findSession } from '../../http/find-session-cookie.ts'
import { CHUNK_SIZE, clearSession, storeSession } from '../../http/write-session-cookie.ts'
import { readIdTokenNames } from '../../oauth/token/refresh-tokens.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { NewSession, ProvenIdentity } from '../../session/store.ts'
import type { StoredTokens } from '../../tokens/token-set.ts'
import type { Incoming } from '../request/incoming.ts'
import { type CookieTokens, newestOf, tokenMembers } from './exchanged-tokens.ts'

// Without a store, tokens are in a sealed cookie for each provider.

/** How long browsers keep any cookie at most, in seconds. Without its session it opens nothing. */
const LIFETIME = 400 * 86_400
/** Most servers take 16 KB of headers, and there are other cookies. In characters. */
const LARGEST = 3 * CHUNK_SIZE
/** The cookies that keep the tokens of a sign-in, in place of those of an earlier one. */
export async function storeTokens(
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
    ...tokenMembers(account),
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
  const exceptName = except === undefined ? undefined : cookieOf(request, except).name
  return Object.keys(request.cookies)
    .filter(name => name.startsWith(`${tokens.name}.`) && !isPartOf(name, exceptName))
    .map(name => clearCookie(tokens, name))
}

/** The providers whose tokens came with the request. */
export function providersWithTokens(
  { providers }: ResolvedConfig,
  request: Incoming,
): readonly OAuthConfig<Profile>[] {
  const header = request.headers.get('cookie')
  const received = [...providers.values()].filter(
    ({ id }) => findSession(header, cookieOf(request, id).name) !== null,
  )
  // Only theirs are kept, and sealed for their very name.
  return received.filter(isOAuth) as readonly OAuthConfig<Profile>[]
}

function isPartOf(name: string, whole: string | undefined): boolean {
  if (whole === undefined || !name.startsWith(whole)) return false
  return /^(\.\d+)?$/.test(name.slice(whole.length))
}

function cookieOf({ cookieOptions }: Incoming, provider: string): CookieOption {
  const { name, options } = cookieOptions.tokens
  return { name: `${name}.${encodeURIComponent(provider)}`, options }
}

/** The content of a provider's cookie; null if there is none that was sealed here. */
export async function openCookie(
  { sealerFor, ports }: ResolvedConfig,
  request: Incoming,
  provider: string,
): Promise<CookieTokens | null> {
  const { name } = cookieOf(request, provider)
  const received = findSession(request.headers.get('cookie'), name)
  const opened = received && (await sealerFor(name).open(received.token, ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { iat, exp: _, jti: __, ...tokens } = opened.claims
  // Sealed by us, and for this cookie alone.
  return { ...(tokens as unknown as CookieTokens), issued_at: Number(iat) }
}

/** The cookies that store the tokens of a provider; those that remove them if they are too large. */
export async function storeCookie(
  { sealerFor, ports, logger }: ResolvedConfig,
  request: Incoming,
  tokens: CookieTokens,
): Promise<readonly SetCookie[]> {
  const now = ports.now()
  const cookie = cookieOf(request, tokens.provider)
  const received = findSession(request.headers.get('cookie'), cookie.name)?.names ?? []
  const { issued_at: _, ...claims } = tokens
  const sealed = await sealerFor(cookie.name).seal(claims, LIFETIME, now)
  if (sealed.length > LARGEST) {
    logger.warn('tokens-too-large')
    return clearSession(cookie, received)
  }
  return storeSession(
    cookie,
    {
      token: sealed,
      expires: new Date(now + LIFETIME * 1000),
      isTemporary: tokens.isTemporary ?? false,
    },
    received,
  )
}

/** The names of the person and of the issuer: without an id_token that was checked, the configured issuer. */
function readNames(
  { providers }: ResolvedConfig,
  { provider, id_token }: Account,
): Pick<CookieTokens, 'subject' | 'issuer'> {
  const { type, issuer } = providers.get(provider) as OAuthConfig<Profile> // a user has signed in with it
  const names = id_token === undefined ? {} : readIdTokenNames(id_token)
  return type === 'oidc' ? names : { ...names, issuer: issuer || undefined }
}

/** Members that only providers with their own way to refresh need again. */
function heardAgain(
  { providers }: ResolvedConfig,
  { provider, session_state }: Account,
): Pick<StoredTokens, 'session_state'> {
  const configured = providers.get(provider) as OAuthConfig<Profile> | undefined // a user has signed in with it
  const token = configured?.token
  const isWanted = typeof token === 'object' && token.refresh !== undefined
  return isWanted && session_state !== undefined ? { session_state } : {}
}
