import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'

/** A token, and what RFC 7009 calls its kind. */
export interface RevocableToken {
  readonly value: string
  readonly kind: 'refresh_token' | 'access_token'
}

/** The tokens of an account. */
interface Granted {
  readonly refresh_token?: string | undefined
  readonly access_token?: string | undefined
  readonly scope?: string | undefined
}

/** The token to revoke when a session ends. Revoking it revokes the others of its grant. */
export function revocableToken(
  provider: ResolvedOAuthProvider,
  { refresh_token, access_token, scope }: Granted,
): RevocableToken | undefined {
  if (refresh_token && !isForOffline(provider, scope)) {
    return { value: refresh_token, kind: 'refresh_token' }
  }
  return access_token ? { value: access_token, kind: 'access_token' } : undefined
}

/**
 * OpenID Connect Back-Channel Logout §2.7: a refresh token that is for use without the visitor outlives
 * the session. It may serve others of the user's sessions, too, or jobs at night.
 */
export function isForOffline(
  { authorization, scope = '' }: Pick<ResolvedOAuthProvider, 'authorization' | 'scope'>,
  granted = '',
): boolean {
  return (
    / offline(?:[._]access)? /.test(` ${granted} ${scope} `) ||
    authorization.params.some(([name, value]) => OFFLINE.has(`${name}=${value}`))
  )
}

/** How servers are asked for such tokens that know no scope for it. */
const OFFLINE: ReadonlySet<string> = new Set([
  'access_type=offline', // Google, Zoho
  'token_access_type=offline', // Dropbox
  'duration=permanent', // Reddit
])
