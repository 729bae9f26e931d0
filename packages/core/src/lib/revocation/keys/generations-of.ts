import type { RevocationCondition } from '../../base/adapter.ts'
import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'
import { closedKey } from './revocation-keys.ts'

/**
 * The keys of a session, each with the generation that it has itself: the session is revoked by an entry with a higher one, or
 * with none.
 */
export function generationsOf({
  claims,
  session,
  user,
  sharedUser,
  token,
  provider,
}: RevocationKeys): RevocationCondition['keys'] {
  const { gen, rot = 0, rk } = claims
  const at = (generation: number) => (key: RevocationKey | null) =>
    key ? [{ key: key.text, generation }] : []
  return [
    ...[user, sharedUser].flatMap(at(gen)),
    ...at(rot)(session),
    // A session that is being closed is no longer valid.
    ...(session ? [{ key: closedKey(session), generation: 0 }] : []),
    ...at(0)(token),
    ...provider.flatMap(at((rk?.at ?? 0) * 1000)),
  ]
}
