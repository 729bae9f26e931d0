import { primitives } from '#crypto'
import type { AdapterAccount } from '../base/adapter.ts'
import type { TokenSet } from '../base/user.ts'
import { toBase64Url } from '../crypto/encoding.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** The stored tokens of an account. */
export interface StoredTokens
  extends Pick<
    TokenSet,
    'access_token' | 'refresh_token' | 'id_token' | 'expires_at' | 'scope' | 'token_type'
  > {
  /** The key that the tokens are bound to, as a private JWK. */
  readonly dpop_key?: string | null | undefined
  /** When the access token was stored, in seconds since 1970, if known. */
  readonly issued_at?: number | undefined
  /** A parameter that the provider wants again when tokens are refreshed. */
  readonly session_state?: unknown
}

/** The requirements of a caller for an access token. */
export interface TokenRequirements {
  /** How many more seconds it must be valid, or half of its life if that is less. */
  readonly minValidity: number
  /** One that the provider no longer takes. */
  readonly rejectedToken?: string | undefined
}

/**
 * Whether an access token is good for that long, as far as is known. Where the provider did not say for how
 * long, it is until the provider refuses it.
 */
export function isGood(
  {
    access_token,
    expires_at,
    issued_at,
  }: Pick<StoredTokens, 'access_token' | 'expires_at' | 'issued_at'>,
  { minValidity, rejectedToken }: TokenRequirements,
  now: number,
): boolean {
  if (!access_token || access_token === rejectedToken) return false
  if (typeof expires_at !== 'number') return true
  // One that lives for seconds would otherwise be refreshed by every call.
  const halfLife = issued_at === undefined ? minValidity : (expires_at - issued_at) / 2
  return expires_at - Math.min(minValidity, halfLife) > now / 1000
}

/** A digest of a refresh token, which must not be shown itself. */
export async function tokenDigest(refreshToken: string): Promise<string> {
  const digest = await primitives.digest('SHA-256', `${PURPOSES.refreshToken} ${refreshToken}`)
  return toBase64Url(digest.subarray(0, 12))
}

/** The text that is stored for an account whose refresh token has ended. */
export async function endedTokenDigest(refreshToken: string): Promise<string> {
  return `invalid_grant ${await tokenDigest(refreshToken)}`
}

/** Whether this very refresh token has ended. One that came later may be valid. */
export async function isEnded({
  refresh_token,
  token_error,
}: Pick<AdapterAccount, 'refresh_token' | 'token_error'>): Promise<boolean> {
  return Boolean(
    refresh_token && token_error && token_error === (await endedTokenDigest(refresh_token)),
  )
}
