import type { AdapterSession, AdapterUser } from '../../base/adapter.ts'
import { type Lifetime, latestExpiry, type SessionLimits } from '../lifetime.ts'
import { isMistakable, isSameName, parseSessionLimits } from '../session-name.ts'
import type { DatabaseContext } from './database-context.ts'
import { hashedName, isStoredName, replacedName, successorOf } from './row-name.ts'

/** The row of a session and that of its user, with the limits of the session applied. */
export interface FoundRow {
  /** Its `expires` is the actual end, which may come before the stored one. */
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly limits: SessionLimits
  /** The actual end, in milliseconds. */
  readonly end: number
  /** The end in the row. */
  readonly stored: Date
}

/** The row of a session, which may have ended. */
export async function findSession(
  { rows, lifetime }: DatabaseContext,
  token: string,
): Promise<FoundRow | null> {
  // The name of a row, which an attacker may have read in the store, is not a cookie.
  const found = isStoredName(token) ? null : await rows.getSessionAndUser(token)
  return found && applyLimits(lifetime, found, token)
}

/** The row of a session that has not ended. */
export async function findValidSession(
  context: DatabaseContext,
  token: string,
): Promise<FoundRow | null> {
  const found = await findSession(context, token)
  return found && found.end > context.now() ? found : null
}

/** The row that a replaced session leaves behind for a moment, for requests that are in progress. */
interface ReplacedRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly successor: string
  /** Whether its moment is over, by the clock of this server. */
  readonly isOver: boolean
  /** Whether its moment is over by every clock that is two minutes behind or less. */
  readonly isLongOver: boolean
}

/** How far the clock may be behind of a server that has rotated a session which is ended elsewhere, in milliseconds. */
const CLOCK_MARGIN = 120_000

/** A session that was replaced a moment ago. It can be read, but neither renewed nor changed. */
export async function findReplacedSession(
  context: DatabaseContext,
  token: string,
): Promise<ReplacedRow | null> {
  const found = isStoredName(token) ? null : await findReplacedRow(context, token)
  return found && !found.isOver ? found : null
}

/** The row that a replaced session has left behind, however long ago. */
export async function findReplacedRow(
  { rows, secrets, now }: DatabaseContext,
  token: string,
): Promise<ReplacedRow | null> {
  for (const secret of secrets) {
    const successor = await successorOf(token, secret)
    const name = await replacedName(successor, secret)
    const found = await rows.getSessionAndUser(name)
    // A row of another name leads nowhere: ending what follows it would never stop, or would end somebody else's session.
    if (found && isSameName(found.session.sessionToken, name)) {
      const past = now() - found.session.expires.getTime()
      return { ...found, successor, isOver: past >= 0, isLongOver: past >= CLOCK_MARGIN }
    }
  }
  return null
}

/** The row with the limits of its session applied. Null if it belongs to another token. */
export function applyLimits<
  Found extends { readonly session: AdapterSession; readonly user: AdapterUser },
>(lifetime: Lifetime, found: Found, token: string): (Found & FoundRow) | null {
  // A store may take one name for another, and capitals for small letters.
  const { sessionToken: name = token } = found.session
  if ((isStoredName(name) && name !== token) || isMistakable(name, token)) return null
  const limits = parseSessionLimits(name.includes('~') ? name : token)
  const end = limitedEnd(lifetime, found.session, limits).getTime()
  const { expires: stored } = found.session
  const session = { ...found.session, expires: new Date(end) }
  // The additions come first: behind a spread, they would take Node 20 microseconds.
  return { limits, end, stored, ...found, session }
}

/** The actual end of a session, which may come before the one in its row. */
export function limitedEnd(
  lifetime: Lifetime,
  { expires }: Pick<AdapterSession, 'expires'>,
  limits: SessionLimits,
): Date {
  const stored = expires.getTime()
  // A session whose beginning is unknown existed when it was last renewed.
  const { bgn = stored - lifetime.maxAge * 1000 } = limits
  return new Date(Math.min(stored, latestExpiry(lifetime, { ...limits, bgn })))
}

/**
 * The names in the store of the rows that a rotation adds for a session, before it deletes the one that there is. A token of
 * a rotation that did not delete it, and is no longer in progress, is another session: nobody knows who has it.
 */
export async function storedSuccessors(
  context: DatabaseContext,
  token: string,
): Promise<readonly string[]> {
  const { rows, secrets, hashTokens, now } = context
  const isHashed = hashTokens !== false && hashTokens !== 'accept'
  const names = secrets.map(async secret => {
    const successor = await successorOf(token, secret)
    const replaced = await replacedName(successor, secret)
    const stored = isHashed ? await hashedName(successor) : successor
    // In this order: a rotation adds the row of the replaced session first.
    if (await rows.getSessionAndUser(successor)) {
      const left = await rows.getSessionAndUser(replaced)
      if (!left || left.session.expires.getTime() <= now()) return []
    }
    return [stored, replaced]
  })
  return (await Promise.all(names)).flat()
}

/** The name of the row in the store. */
export async function findStoredName(
  { rows, hashTokens }: DatabaseContext,
  token: string,
  userId: string,
): Promise<string> {
  if (!hashTokens) return token
  const hashed = await hashedName(token)
  if (hashTokens !== 'accept') return hashed
  const listed = await rows.listSessions?.(userId)
  return listed?.some(({ sessionToken }) => sessionToken === hashed) ? hashed : token
}
