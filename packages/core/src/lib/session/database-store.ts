import type { SessionParams } from '../base/callbacks.ts'
import type { AdapterSession, AdapterUser, Session, SessionRenewal } from '../base/model.ts'
import { allColumns } from './all-columns.ts'
import { createDatabaseList } from './database-list.ts'
import { addExposed } from './exposed.ts'
import { createColumnHider } from './hide-columns.ts'
import { type Lifetime, latestEnd, nextExpiry, ONE_MINUTE, type Terms } from './lifetime.ts'
import {
  hashedName,
  isDigestName,
  isSuccessor,
  nameWith,
  replacedName,
  termsIn,
} from './row-name.ts'
import type { FoundSession, SessionRows } from './session-rows.ts'
import {
  type ActiveSession,
  GRACE,
  type IssuedSession,
  type ProvenIdentity,
  type ReadOptions,
  type SessionStore,
} from './store.ts'
import { timeText } from './time-text.ts'

/** What database sessions are made of. */
export interface DatabaseStoreParts {
  readonly lifetime: Lifetime
  readonly rows: SessionRows
  readonly generateSessionToken: () => string
  /** The token that follows a token, for each secret, the newest first. */
  readonly successorsOf: (token: string) => Promise<readonly [string, ...string[]]>
  /** Whether the rows have columns for {@link SessionDetails}. */
  readonly takesDetails: boolean
  /** Whether the rows know their sessions by hashes, or are about to. */
  readonly hashTokens: boolean | 'migrate'
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** The columns of the user that are seen besides; undefined if the application names none. */
  readonly expose: readonly string[] | undefined
  readonly now: () => number
}

/** Sessions that are rows of a database. The cookie holds nothing but the name of the row. */
export function createDatabaseStore(parts: DatabaseStoreParts): SessionStore {
  const { lifetime, rows, expose, now } = parts
  /**
   * Adapters that list sessions return what they deleted, and nothing if there was nothing. Others need
   * not; nor does a session that is being moved have one row.
   */
  const tellsDeleted = rows.listSessions !== undefined && parts.hashTokens !== 'migrate'
  const guardUser = createColumnHider([...SHOWN_OF_USER, ...(expose ?? [])])
  const guardSession = createColumnHider(SHOWN_OF_SESSION)

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

  /** A row as it counts, which may be less than it says. Null if it is not what was asked for. */
  function limited<Found extends { readonly session: AdapterSession }>(
    found: Found,
    token: string,
  ) {
    // A store may take one name for another, and capitals for small letters.
    const { sessionToken: name = token } = found.session
    if (isDigestName(name) && name !== token) return null
    const terms = termsIn(name.includes('~') ? name : token)
    const expires = found.session.expires.getTime()
    // One that does not say when it began was there when it was last renewed.
    const { bgn = expires - lifetime.maxAge * 1000 } = terms
    const end = Math.min(expires, latestEnd(lifetime, { ...terms, bgn }))
    return { ...found, terms, end, session: { ...found.session, expires: new Date(end) } }
  }

  /** What the store knows a session by. */
  const nameOf = async (token: string) => (parts.hashTokens ? hashedName(token) : token)

  /** If nobody knows when a session began, it must not go on forever. */
  function mayRenew({ bgn }: Terms): boolean {
    return lifetime.absoluteAge === undefined || bgn !== undefined
  }

  /** The row of a session, which may have ended. */
  async function find(token: string) {
    // What somebody has read in the store is no cookie.
    const found = isDigestName(token) ? null : await rows.getSessionAndUser(token)
    return found && limited(found, token)
  }

  async function findValid(token: string) {
    const found = await find(token)
    return found && found.end > now() ? found : null
  }

  /** A session that was replaced a moment ago. It is shown to requests in progress, and that is all. */
  async function findReplaced(token: string) {
    for (const successor of await parts.successorsOf(token)) {
      const found = await rows.getSessionAndUser(await replacedName(successor))
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
    if (isDigestName(sessionToken)) return null
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
      await rows.deleteSession(sessionToken)
      return null
    }
    if (inOne) return active(sessionToken, { ...found, isRenewed: inOne.isRenewed }, update)
    const renewal = renewalAt(time, lifetime, terms)
    const isDue = mayRenew(terms) && isDueAt(end, renewal)
    // Sessions have become shorter since. That counts at once, and needs no new cookie.
    const isTooLong = end > renewal.dueAfter.getTime()
    if (!isTooLong && !(isDue && canRenew)) {
      const unrenewed = active(sessionToken, { ...found, isRenewed: false }, update)
      return { ...unrenewed, isCurrent: !isDue }
    }
    // Row and cookie are extended together, or not at all.
    const { expires } = renewal
    const seen = canRenew ? seenAt(time) : {}
    const kept = await rows.updateSession({ sessionToken, expires, ...seen })
    if (!kept && !(await find(sessionToken))) return activateReplaced(sessionToken)
    const session = { ...found.session, expires }
    return active(sessionToken, { ...found, session, isRenewed: canRenew }, update)
  }

  async function activateReplaced(token: string): Promise<ActiveSession | null> {
    const found = await findReplaced(token)
    return found && active(token, { ...found, terms: {}, isRenewed: false }, undefined)
  }

  function active(
    sessionToken: string,
    { session, user, isRenewed, terms }: FoundSession & { readonly terms: Terms },
    update: { readonly changes: unknown } | undefined,
  ): ActiveSession {
    const { expires } = session
    return {
      shown: shownSession(user, expires, expose),
      params: parts.isWatched ? sessionParams(session, user, update) : null,
      token: undefined,
      renewal: isRenewed ? issued({ sessionToken, expires }, terms) : null,
      isCurrent: true,
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
    const replaced = await replacedName(successor)
    // Under another name, so that a renewal in progress finds nothing to extend.
    const grace = {
      sessionToken: replaced,
      userId,
      expires: new Date(Math.min(now() + GRACE, end)),
    }
    if (!(await createUnlessThere(grace))) return false
    // One that is there was left by a server that stopped midway. Nobody has its token.
    if (next) await createUnlessThere(next)
    const isThere = (await rows.getSessionAndUser(token)) !== null
    const deleted = isThere && (await rows.deleteSession(token))
    if (isThere && (deleted || !tellsDeleted)) return true
    await rows.deleteSession(replaced)
    if (next) await rows.deleteSession(next.sessionToken)
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
      if (found) await rows.deleteSession(row.sessionToken)
      return createUnlessThere(row, tries - 1)
    }
  }

  /** Ends what came of a session that was replaced a moment ago. */
  async function endSuccessor(token: string): Promise<void> {
    const replaced = await findReplaced(token)
    if (!replaced) return
    await rows.deleteSession(replaced.session.sessionToken)
    await endWithSuccessor(replaced.successor)
  }

  /** Ends the token that this one has replaced, which could be read for a moment longer. */
  async function endPredecessor(token: string): Promise<void> {
    const name = isSuccessor(token) && (await replacedName(token))
    if (name && (await rows.getSessionAndUser(name))) await rows.deleteSession(name)
  }

  async function endWithSuccessor(token: string): Promise<void> {
    // Some stores mind being asked to delete what is not there.
    if (await rows.getSessionAndUser(token)) await rows.deleteSession(token)
    await endSuccessor(token)
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
    async revoke(token) {
      if (isDigestName(token)) return { session: null }
      const session = await rows.deleteSession(token)
      // Whoever is replacing a row that was deleted here is told so, and withdraws.
      if (!session || !tellsDeleted) await endSuccessor(token)
      await endPredecessor(token)
      return { session }
    },
    async endReplaced(token) {
      const found = await find(token)
      if (!found) return
      const [successor] = await parts.successorsOf(token)
      if (found.end > now()) await replace(token, found, successor)
      else await rows.deleteSession(token)
    },
    async rotate(token) {
      const found = await findValid(token)
      if (!found) return null
      const [sessionToken] = await parts.successorsOf(token)
      const time = now()
      const { end, terms } = found
      const expires = new Date(mayRenew(terms) ? nextExpiry(time, lifetime, terms) : end)
      const columns = await allColumns(rows, found.session, await nameOf(token))
      const next = { ...columns, ...seenAt(time), sessionToken, expires }
      const isReplaced = await replace(token, found, sessionToken, next)
      return isReplaced ? issued(next, terms) : null
    },
    isTemporary: async token => termsIn(token).tmp ?? false,
    own: createDatabaseList(rows, async token => {
      const found = await findValid(token)
      return found && { ...found, name: await nameOf(token) }
    }),
  }
}

function issued(
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  { tmp }: Terms,
): IssuedSession {
  return { token: sessionToken, expires, ...(tmp && { isTemporary: true }) }
}

function shownSession(
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

const SHOWN_OF_USER = ['name', 'email', 'image']
const SHOWN_OF_SESSION = ['userId', 'expires', 'user']

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
