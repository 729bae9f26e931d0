import type { TokenSet } from '../base/model.ts'
import type { Sealer } from '../crypto/jwe.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import { serverIdentity } from './server.ts'

/** What must be known of a sign-in to undo it at the provider. */
export interface LogoutHint {
  readonly provider: string
  /** The server behind the provider: no other one gets to see the tokens. */
  readonly server: string | undefined
  /** Whose session it is. */
  readonly userId: string
  /** By which the provider knows whom it has to sign out. */
  readonly idToken: string | undefined
  /** What is to be revoked. */
  readonly token: RevocableToken | undefined
}

/** A token, and what RFC 7009 calls its kind. */
export interface RevocableToken {
  readonly value: string
  readonly kind: 'refresh_token' | 'access_token'
}

/** Longer ones would make a URL that not every server and proxy takes: see `endSessionUrl`. */
const LONGEST_ID_TOKEN = 1800

/** What fits into one cookie when it is sealed, in letters. */
const MOST_LETTERS = 2600

/** As long as browsers keep any cookie. A session may be renewed until then, and this cannot be. */
export const HINT_MAX_AGE: number = 400 * 24 * 60 * 60

/** What is kept of the tokens of a sign-in. What does not fit is left out: the provider does without. */
export function logoutHint(
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
  userId: string,
): LogoutHint {
  const { id_token } = tokens
  const isFit = provider.type === 'oidc' && id_token && id_token.length <= LONGEST_ID_TOKEN
  const idToken = isFit ? id_token : undefined
  const token = revocableToken(provider, tokens)
  const room = MOST_LETTERS - (idToken?.length ?? 0)
  return {
    provider: provider.id,
    server: serverIdentity(provider),
    userId,
    idToken,
    token: token && token.value.length <= room ? token : undefined,
  }
}

/**
 * OpenID Connect Back-Channel Logout §2.7: a refresh token that is for use without the visitor outlives
 * the session. It may serve others of the user's sessions, too, or jobs at night.
 */
function revocableToken(
  { authorization, scope = '' }: ResolvedOAuthProvider,
  tokens: TokenSet,
): RevocableToken | undefined {
  const { refresh_token, access_token } = tokens
  const granted = ` ${tokens.scope ?? ''} ${scope} `
  const isOffline =
    / offline(?:_access)? /.test(granted) ||
    authorization.params.some(([name, value]) => name === 'access_type' && value === 'offline')
  if (refresh_token && !isOffline) return { value: refresh_token, kind: 'refresh_token' }
  return access_token ? { value: access_token, kind: 'access_token' } : undefined
}

/** Seals a hint for a cookie. */
export async function sealHint(hint: LogoutHint, sealer: Sealer, now: number): Promise<string> {
  const { provider, server, userId, idToken, token } = hint
  const claims = { provider, server, userId, idToken, token: token?.value, kind: token?.kind }
  return sealer.seal(claims, HINT_MAX_AGE, now)
}

/** Opens what was sealed; null if it was not by us, or too long ago. */
export async function openHint(
  sealed: string,
  sealer: Sealer,
  now: number,
): Promise<LogoutHint | null> {
  const opened = await sealer.open(sealed, now)
  if (typeof opened === 'string') return null
  const { provider, server, userId, idToken, token, kind } = opened.claims
  if (typeof provider !== 'string' || typeof userId !== 'string') return null
  const isRevocable = typeof token === 'string' && typeof kind === 'string'
  return {
    provider,
    server: typeof server === 'string' ? server : undefined,
    userId,
    idToken: typeof idToken === 'string' ? idToken : undefined,
    token: isRevocable
      ? { value: token, kind: kind === 'refresh_token' ? kind : 'access_token' }
      : undefined,
  }
}
