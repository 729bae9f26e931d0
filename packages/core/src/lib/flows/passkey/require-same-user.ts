import type { AdapterUser } from '../../base/adapter.ts'
import { InvalidCheck } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { getLinkingUser } from '../../principal/get-linking-user.ts'
import type { Challenge } from '../../webauthn/challenge.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * The user that was signed in when the challenge was made: only that user can answer it. Null if the visitor was not
 * signed in, since it is then a sign-in or sign-up, even if a user is signed in by now.
 */
export async function requireSameUser(
  config: ResolvedConfig,
  request: Incoming,
  { userId }: Challenge,
): Promise<AdapterUser | null> {
  if (userId === null) return null
  const user = await getLinkingUser(config, request)
  if (user && String(user.id) === String(userId)) return user
  throw new InvalidCheck('Someone else was signed in when the passkey was asked for.')
}
