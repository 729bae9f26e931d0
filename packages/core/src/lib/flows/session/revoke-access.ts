import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type RevokedAccount, revokeProviderTokens } from '../account/revoke-provider-tokens.ts'
import { endUser } from './end-user-sessions.ts'

/** The result for a user whose account may be compromised. */
export interface RevokedAccess {
  /** The accounts whose provider tokens were deleted from the store. */
  readonly accounts: readonly RevokedAccount[]
}

/**
 * Ends everything by which a user, or an attacker, could continue without signing in again. Sessions come first:
 * while they last, they can obtain new tokens. The revocation also ends links, codes and sign-ins in progress, and
 * the browsers that the user has signed in with are no longer known.
 */
export async function revokeAccess(config: ResolvedConfig, userId: string): Promise<RevokedAccess> {
  await endUser(config, userId, 'users.revokeAccess')
  return { accounts: await revokeProviderTokens(config, userId) }
}
