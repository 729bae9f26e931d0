import { primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { sessionHandle } from '../../devices/session-handle.ts'
import { getUserPrincipal } from '../../principal/get-principal.ts'
import type { PrincipalSession } from '../../principal/principal.ts'
import type { OwnSession, StoredSession } from '../../session/session-list.ts'
import type { Incoming } from '../request/incoming.ts'

/** How many sessions are listed. Those that were seen longer ago are ended with all others. */
export const MAX_LISTED = 100

/** The session of the user who sent the request, with the name that the list has for it. */
export async function findOwnSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly own: OwnSession; readonly session: PrincipalSession } | null> {
  const principal = await getUserPrincipal(config, request)
  const own = principal && (await principal.session.listed())
  return own && principal && { own, session: principal.session }
}

/** The name of a session for its owner. */
export function handleOf({ secrets }: ResolvedConfig, { id }: StoredSession): Promise<string> {
  return sessionHandle(primitives, secrets[0] ?? '', id)
}
