import type { SessionParams } from '../../base/callbacks.ts'
import type { AdapterSession, AdapterUser, Session, SessionRenewal } from '../../base/model.ts'
import { addExposed } from '../expose-columns.ts'
import { timeText } from '../iso-time.ts'
import { type Lifetime, latestEnd, nextExpiry, ONE_MINUTE, type Terms } from '../lifetime.ts'
import {
  hashedName,
  isMistakable,
  isStoredName,
  isSuccessor,
  nameWith,
  replacedName,
  successorOf,
  termsIn,
} from '../session-name.ts'
import {
  type ActiveSession,
  GRACE,
  type IssuedSession,
  type ProvenIdentity,
  type ReadOptions,
  type SessionStore,
} from '../store.ts'
import { allColumns } from './all-columns.ts'
import { createDatabaseList } from './database-list.ts'
import type { HashMode } from './hash-session-tokens.ts'
import { createColumnHider } from './hide-columns.ts'
import type { FoundSession, SessionRows } from './session-rows.ts'

/** What database sessions are made of. */
export interface DatabaseStoreParts {
  readonly lifetime: Lifetime
  readonly rows: SessionRows
  readonly generateSessionToken: () => string
  /** What the tokens that follow others are derived from, the newest first. */
  readonly secrets: readonly [string, ...string[]]
  /** Whether the rows have columns for {@link SessionDetails}. */
  readonly takesDetails: boolean
  /** Whether the rows know their sessions by hashes, or are about to. */
  readonly hashTokens: HashMode | false
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** The columns of the user that are seen besides; undefined if the application names none. */
  readonly expose: readonly string[] | undefined
  readonly now: () => number
}

/** Sessions that are rows of a database. The cookie holds nothing but the name of the row. */
export function createDatabaseStore(parts: DatabaseStoreParts): SessionStore {
  const { lifetime, rows, expose, now } = parts
  const [secret] = parts.secrets
  /**
   * Adapters that list sessions return what they deleted, and nothing if there was nothing. Others need
   * not; nor does a session that is being moved have one row.
   */
  const tellsDeleted =
    rows.listSessions !== undefined &&
    parts.hashTokens !== 'migrate' &&
    parts.hashTokens !== 'accept'
  const guardUser = createColumnHider([...VISIBLE_OF_USER, ...(expose ?? [])])
  const guardSession = createColumnHider(VISIBLE_OF_SESSION)

  function draft({
    terms,
    details,
  }: Pick<ProvenIdentity, 'terms' | 'details'> = {}): Omit<AdapterSession, 'userId'> {
    const time = now()
    const { bgn = time, ...limits } = terms ?? {}
    // What is not configured is in no name, so that names stay what they were.
    const said = lifetime.absoluteAge === undefined ? limits : { ...limits, bgn }
    return {
      sessionToken: nameWith(parts.generateSessionToken(), said),
      expires: new Date(nextExpiry(time, lifetime, said)),
      ...(parts.takesDetails && { createdAt: new Date(bgn), ...seenAt(time), ...details }),
    }
  }

  function seenAt(time: number): Pick<AdapterSession, 'lastSeenAt'> {
    return parts.takesDetails ? { lastSeenAt: new Date(time) } : {}
  }

  /** When a row ends, which may be sooner than it says. */
  function limitedEnd({ expires }: Pick<AdapterSession, 'expires'>, terms: Terms): Date {
    const stored = expires.getTime()
    // One that does not say when it began was there when it was last renewed.
    const { bgn = stored - lifetime.maxAge * 1000 } = terms
    return new Date(Math.min(stored, latestEnd(lifetime, { ...terms, bgn })))
  }

  /** A row as it counts, which may be less than it says. Null if it is not what was asked for. */
  function limited<Found extends { readonly session: AdapterSession }>(
    found: Found,
    token: string,
  ) {
    // A store may take one name for another, and capitals for small letters.
    const { sessionToken: name = token } = found.session
    if ((isStoredName(name) && name !== token) || isMistakable(name, token)) return null
    const terms = termsIn(name.includes('~') ? name : token)
    const end = limitedEnd(found.session, terms).getTime()
    const { expires: stored } = found.session
    const session = { ...found.session, expires: new Date(end) }
    // What is added comes first: behind a spread, it would take Node 20 microseconds.
    return { terms, end, stored, ...found, session }
  }

  /** What the store knows a session by. */
  async function nameOf(token: string, userId: string): Promise<string> {
    if (!parts.hashTokens) return token
    const hashed = await hashedName(token)
    if (parts.hashTokens !== 'accept') return hashed
    const listed = await rows.listSessions?.(userId)
    return listed?.some(({ sessionToken }) => sessionToken === hashed) ? hashed : token
  }

  /** If nobody knows when a session began, it must not go on forever. */
  function mayRenew({ bgn }: Terms): boolean {
    return lifetime.absoluteAge === undefined || bgn !== undefined
  }

  /** The row of a session, which may have ended. */
  async function find(token: string) {
    // What somebody has read in the store is no cookie.
    const found = isStoredName(token) ? null : await rows.getSessionAndUser(token)
    return found && limited(found, token)
  }

  async function findValid(token: string) {
    const found = await find(token)
    return found && found.end > now() ? found : null
  }

  /** A session that was replaced a moment ago. It is shown to requests in progress, and that is all. */
  async function findReplaced(token: string) {
    for (const secret of parts.secrets) {
      const successor = await successorOf(token, secret)
      const found = await rows.getSessionAndUser(await replacedName(successor, secret))
      if (found && found.session.expires.getTime() > now()) return { ...found, successor }
    }
    return null
  }

  /** A session that is valid now, extended if it is due. */
  async function activate(
    sessionToken: string,
    { canRenew }: ReadOptions,
    update?: { readonly changes: unknown },
  ): Promise<ActiveSession | null> {
    if (isStoredName(sessionToken)) return null
    const time = now()
    const said = termsIn(sessionToken)
    // When an older session ends at the latest is known only once it was read.
    const isKnown = lifetime.absoluteAge === undefined || said.bgn !== undefined
    const inOne =
      canRenew && isKnown
        ? await rows.getAndRenewSession?.(sessionToken, renewalAt(time, lifetime, said))
        : undefined
    const read = inOne === undefined ? await rows.getSessionAndUser(sessionToken) : inOne
    const found = read && limited(read, sessionToken)
    if (!found) return activateReplaced(sessionToken)
    const { end, terms } = found
    if (end <= time) {
      await remove(sessionToken)
      return null
    }
    if (inOne) {
      const { isRenewed } = inOne
      return active(sessionToken, found, { isRenewed, isCurrent: true }, update)
    }
    const renewal = renewalAt(time, lifetime, terms)
    const isDue = mayRenew(terms) && isDueAt(end, renewal)
    // Sessions have become shorter since. That counts at once, and needs no new cookie.
    const isTooLong = end > renewal.dueAfter.getTime()
    if (!isTooLong && !(isDue && canRenew)) {
      return active(sessionToken, found, { isRenewed: false, isCurrent: !isDue }, update)
    }
    // Row and cookie are extended together, or not at all.
    const { expires } = renewal
    const seen = canRenew ? seenAt(time) : {}
    const kept = await rows.updateSession({ sessionToken, expires, ...seen })
    if (!kept && !(await find(sessionToken))) return activateReplaced(sessionToken)
    const session = { ...found.session, expires }
    const how = { isRenewed: canRenew, isCurrent: true }
    return active(sessionToken, { ...found, session }, how, update)
  }

  async function activateReplaced(token: string): Promise<ActiveSession | null> {
    const found = await findReplaced(token)
    const how = { isRenewed: false, isCurrent: true }
    return found && active(token, { terms: {}, ...found }, how, undefined)
  }

  function active(
    sessionToken: string,
    { session, user, terms }: Omit<FoundSession, 'isRenewed'> & { readonly terms: Terms },
    { isRenewed, isCurrent }: { readonly isRenewed: boolean; readonly isCurrent: boolean },
    update: { readonly changes: unknown } | undefined,
  ): ActiveSession {
    const { expires } = session
    return {
      session: sessionFromRow(user, expires, expose),
      params: parts.isWatched ? sessionParams(session, user, update) : null,
      token: undefined,
      renewal: isRenewed ? issued({ sessionToken, expires }, terms) : null,
      isCurrent,
    }
  }

  /**
   * Replaces a session, by another or by nothing, and leaves it to requests in progress. False if it
   * was ended or replaced meanwhile.
   *
   * Whoever signs out deletes the row, and then looks for a replacement. So what is added here before the
   * row is looked for once more is found there; if the row is gone by then, all of it is withdrawn.
   */
  async function replace(
    token: string,
    { end, session: { userId } }: { readonly end: number; readonly session: AdapterSession },
    successor: string,
    next?: AdapterSession,
  ): Promise<boolean> {
    const sessionToken = await replacedName(successor, secret)
    // Under another name, so that a renewal in progress finds nothing to extend.
    const grace = { sessionToken, userId, expires: new Date(Math.min(now() + GRACE, end)) }
    if (!(await createUnlessThere(grace))) return false
    try {
      // One that is there was left by a server that stopped midway. Nobody has its token.
      if (next) await createUnlessThere(next)
    } catch (error) {
      await remove(sessionToken)
      throw error
    }
    const isThere = (await rows.getSessionAndUser(token)) !== null
    const deleted = isThere && (await remove(token))
    if (isThere && (deleted || !tellsDeleted)) return true
    await remove(sessionToken)
    if (next) await remove(next.sessionToken)
    return false
  }

  /** False if there is such a row. One that has expired was left by a server that stopped midway. */
  async function createUnlessThere(row: AdapterSession, tries = 3): Promise<boolean> {
    try {
      await rows.createSession(row)
      return true
    } catch (error) {
      const found = await rows.getSessionAndUser(row.sessionToken)
      if (found && found.session.expires.getTime() > now()) return false
      if (tries === 1) throw error
      // Gone again, or about to go.
      if (found) await remove(row.sessionToken)
      return createUnlessThere(row, tries - 1)
    }
  }

  /** Some stores mind being asked to delete what is not there. Not those that tell what they deleted. */
  async function remove(name: string): Promise<AdapterSession | null | undefined> {
    if (rows.listSessions) return rows.deleteSession(name)
    try {
      return await rows.deleteSession(name)
    } catch (error) {
      if (await rows.getSessionAndUser(name)) throw error
      return null
    }
  }

  async function removeIfThere(name: string): Promise<void> {
    // Where tokens need not be unique, two requests at once may have made two rows.
    for (let tries = 0; tries < 3 && (await rows.getSessionAndUser(name)); tries++) {
      await remove(name)
    }
  }

  async function end(token: string): Promise<AdapterSession | null | undefined> {
    const session = await remove(token)
    if (isSuccessor(token)) {
      await removeIfThere(token)
      await endPredecessor(token)
    }
    // Whoever is replacing a row that was deleted here is told so, and withdraws.
    if (!session || !tellsDeleted) await endSuccessor(token)
    return session
  }

  /** Ends what came of a session that was replaced a moment ago. */
  async function endSuccessor(token: string): Promise<void> {
    const replaced = await findReplaced(token)
    if (!replaced) return
    await removeIfThere(replaced.session.sessionToken)
    await removeIfThere(replaced.successor)
    await endSuccessor(replaced.successor)
  }

  /**
   * Ends the token that this one has replaced, which could be read for a moment longer.
   *
   * @param name a token, or what the store knows it by
   */
  async function endPredecessor(name: string): Promise<void> {
    for (const each of parts.secrets) await removeIfThere(await replacedName(name, each))
  }

  /** What the callback gets: it can read all of both rows, but returns no more of them than it names. */
  function sessionParams(
    session: AdapterSession,
    row: AdapterUser,
    update: { readonly changes: unknown } | undefined,
  ): SessionParams {
    const user = guardUser(row)
    const params = {
      session: guardSession({ ...session, user }),
      user,
      newSession: update?.changes,
      ...(update && { trigger: 'update' }),
    }
    // The documented type joins what the two strategies give; each gives its own half.
    return params as unknown as SessionParams
  }

  return {
    remembers: false,
    needsStoredUser: true,
    draft,
    async issue({ user, session, draft: decided, ...start }) {
      const row = decided ?? draft(start)
      const stored = session ?? (await rows.createSession({ ...row, userId: user.id ?? '' }))
      return issued(stored, termsIn(stored.sessionToken))
    },
    read: (token, how) => activate(token, how),
    update: (token, changes) => activate(token, { canRenew: true }, { changes }),
    userIdOf: async token => (await findValid(token))?.user.id ?? null,
    revoke: async token => ({ session: isStoredName(token) ? null : await end(token) }),
    async endReplaced(token) {
      const found = await find(token)
      const isValid = found && found.end > now()
      const isReplaced = isValid && (await replace(token, found, await successorOf(token, secret)))
      // Of one that was replaced before, what came of it ends.
      if (!isReplaced && !isStoredName(token)) await end(token)
    },
    async rotate(token) {
      const found = await findValid(token)
      if (!found) return null
      const sessionToken = await successorOf(token, secret)
      const time = now()
      const { stored, terms } = found
      const expires = mayRenew(terms) ? new Date(nextExpiry(time, lifetime, terms)) : stored
      const columns = await allColumns(rows, found.session, await nameOf(token, found.user.id))
      const next = { ...columns, ...seenAt(time), sessionToken, expires }
      const isReplaced = await replace(token, found, sessionToken, next)
      return isReplaced ? issued({ ...next, expires: limitedEnd(next, terms) }, terms) : null
    },
    termsOf: async token => termsIn(token),
    own: createDatabaseList(
      rows,
      async token => {
        const found = await findValid(token)
        return found && { ...found, name: await nameOf(token, found.user.id) }
      },
      endPredecessor,
    ),
  }
}

function issued(
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  { tmp }: Terms,
): IssuedSession {
  return { token: sessionToken, expires, ...(tmp && { isTemporary: true }) }
}

function sessionFromRow(
  row: AdapterUser,
  expires: Date,
  expose: readonly string[] | undefined,
): Session {
  const { name, email, image } = row
  // Members that are undefined vanish on the way to the browser.
  const user = { name, email, image } as NonNullable<Session['user']>
  if (expose) addExposed(user, expose, row)
  return { user, expires: timeText(expires.getTime()) }
}

const VISIBLE_OF_USER = ['name', 'email', 'image']
const VISIBLE_OF_SESSION = ['userId', 'expires', 'user']

/** Some stores keep whole seconds. */
const ONE_SECOND = 1000

/** When a session is due for renewal, said of when it ends, which is what a store of rows knows. */
export function renewalAt(now: number, lifetime: Lifetime, terms?: Terms): SessionRenewal {
  const unlimited = nextExpiry(now, lifetime)
  const expires = nextExpiry(now, lifetime, terms)
  const dueUntil = unlimited - lifetime.updateAge * 1000
  return {
    now: new Date(now),
    // One that lasts as long as it may is not written again.
    dueUntil: new Date(expires < unlimited ? Math.min(dueUntil, expires - ONE_SECOND) : dueUntil),
    dueAfter: new Date(expires + ONE_MINUTE),
    expires: new Date(expires),
  }
}

/** Whether a session that ends at this time is due. */
function isDueAt(
  end: number,
  { dueUntil, dueAfter }: Pick<SessionRenewal, 'dueUntil' | 'dueAfter'>,
): boolean {
  return end <= dueUntil.getTime() || end > dueAfter.getTime()
}
