import type { AdapterUser } from '../base/adapter.ts'
import { ReauthenticationRequired } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { WithCredentials } from './credentials-state.ts'
import { getUserPrincipal } from './get-principal.ts'
import type { UserPrincipal } from './principal.ts'

/**
 * The stored user that a request may add a way to sign in to: an account, a passkey or a password. Null if the
 * visitor is not signed in. Throws if a user is signed in who may be another person: see {@link canLink}.
 */
export async function getLinkingUser(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<AdapterUser | null> {
  const { adapter } = config
  if (!adapter?.getUser) return null
  const principal = await getUserPrincipal(config, request)
  const user = principal && (await adapter.getUser(principal.userId))
  if (!user || (await canLink(principal))) return user
  throw new ReauthenticationRequired(
    'The session may have been planted by another host, or is older than the cookie that shows it was not. ' +
      'The user has to sign in again in this browser first.',
  )
}

/**
 * Whether a request may add a way to sign in to its user. Everything that does so asks here. An attacker whose session was
 * planted in a browser would have its owner add an account to the attacker's user.
 */
async function canLink({ isContested, session }: UserPrincipal): Promise<boolean> {
  return !isContested && (await session.isBound())
}
