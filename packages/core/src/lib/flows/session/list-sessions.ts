import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type ListedSession, listedSession } from '../../devices/listed-session.ts'
import { json, type Outgoing } from '../../http/response.ts'
import type { StoredSession } from '../../session/session-list.ts'
import type { Incoming } from '../request/incoming.ts'
import { findOwnSession, handleOf, MAX_LISTED } from './own-session.ts'

/** `GET sessions` */
export async function sessionsEndpoint(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  return json(await listSessions(config, request))
}

/** The sessions of the user who is signed in, the most recently seen first. Empty if the visitor is not signed in. */
export async function listSessions(
  config: ResolvedConfig,
  request: Incoming,
): Promise<readonly ListedSession[]> {
  const found = await findOwnSession(config, request)
  if (!found) return []
  const { own, session: current } = found
  const stored = await current.list(own, MAX_LISTED)
  const isListed = stored.some(({ id }) => id === own.id)
  // It may not be stored, if it began before any were; and the list should contain the current one.
  const userAgent = request.headers.get('user-agent') ?? ''
  const all: readonly StoredSession[] = isListed ? stored : [{ userAgent, ...own }, ...stored]
  return Promise.all(
    all.map(async session =>
      listedSession(await handleOf(config, session), session.id === own.id, session),
    ),
  )
}
