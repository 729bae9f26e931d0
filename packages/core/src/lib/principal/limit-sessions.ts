import { SignOutError } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { OwnSession, StoredSession } from '../session/session-list.ts'
import type { IssuedSession, SessionStore } from '../session/store.ts'
import { stateOf, type WithCredentials } from './credentials-state.ts'

/** How many sessions end with one sign-in, so that nobody waits for long. */
const MAX_ENDED = 100

/** Ends the oldest sessions of a user who has more than are allowed. A failure does not prevent the sign-in. */
export async function limitSessions(
  { maxConcurrent, logger }: Pick<ResolvedConfig, 'maxConcurrent' | 'logger'>,
  request: WithCredentials,
  issued: IssuedSession,
): Promise<void> {
  if (maxConcurrent === Infinity) return
  const { sessions } = stateOf(request)
  try {
    const own = await findOwn(sessions, issued)
    if (!own) return
    const listed = await sessions.own.list(own, maxConcurrent + MAX_ENDED)
    const oldest = findOldest(own, listed, maxConcurrent)
    if (oldest.length > 0) await sessions.own.endSeveral(own, oldest)
  } catch (cause) {
    logger.error(new SignOutError('The oldest sessions of the user could not be ended.', { cause }))
  }
}

async function findOwn(
  sessions: SessionStore,
  { token }: IssuedSession,
): Promise<OwnSession | null> {
  const found = await sessions.identify(token, { canRenew: false, isCallbackDone: true })
  return found.absence === undefined ? found.listed() : null
}

/** The sessions beyond the newest, of which the own session is one. */
function findOldest(
  own: OwnSession,
  listed: readonly StoredSession[],
  limit: number,
): readonly StoredSession[] {
  return listed
    .filter(({ id }) => id !== own.id)
    .sort((one, other) => beginningOf(other) - beginningOf(one))
    .slice(limit - 1)
}

/** Zero if it is unknown: stores without that column list the sessions that expire first last. */
function beginningOf({ createdAt }: StoredSession): number {
  return createdAt?.getTime() ?? 0
}
