import type { SessionParams } from '../base/callbacks.ts'
import type {
  AdapterSession,
  AdapterUser,
  Awaitable,
  Session,
  SessionRenewal,
} from '../base/model.ts'
import { createDatabaseList } from './database-list.ts'
import { addExposed } from './exposed.ts'
import { createColumnHider } from './hide-columns.ts'
import { type Lifetime, latestEnd, nextExpiry, ONE_MINUTE, type Terms } from './lifetime.ts'
import { hashedName, isDigestName, nameWith, replacedName, termsIn } from './row-name.ts'
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
  /** Whether the rows have columns for {@link SessionDetails}. */
  readonly takesDetails: boolean
  /** Whether the rows know their sessions by hashes. */
  readonly hashesTokens: boolean
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** The columns of the user that are seen besides; undefined if the application names none. */
  readonly expose: readonly string[] | undefined
  readonly now: () => number
}

/** Sessions that are rows of a database. The cookie holds nothing but the name of the row. */
export function createDatabaseStore(parts: DatabaseStoreParts): SessionStore {
  const { lifetime, rows, expose, now } = parts
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

  /** A row as it counts: it may say that it ends later than it does. */
  function limited<Found extends { readonly session: AdapterSession }>(
    found: Found,
    token: string,
  ) {
    // A store may take one name for another. The row says what it was stored with.
    const said = termsIn(found.session.sessionToken ?? token)
    const terms: Terms = { ...said, bgn: said.bgn ?? timeOf(found.session.createdAt) }
    const end = Math.min(found.session.expires.getTime(), latestEnd(lifetime, terms))
    return { ...found, terms, end, session: { ...found.session, expires: new Date(end) } }
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
    const found = await rows.getSessionAndUser(await replacedName(token))
    return found && found.session.expires.getTime() > now() ? found : null
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
    if (!read) return activateReplaced(sessionToken, update)
    const found = limited(read, sessionToken)
    const { end, terms } = found
    if (end <= time) {
      await rows.deleteSession(sessionToken)
      return null
    }
    if (inOne) return active(sessionToken, { ...found, isRenewed: inOne.isRenewed }, update)
    const renewal = renewalAt(time, lifetime, terms)
    const isDue = isDueAt(end, renewal)
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
    if (kept === null && !(await find(sessionToken))) return activateReplaced(sessionToken, update)
    const session = { ...found.session, expires }
    return active(sessionToken, { ...found, session, isRenewed: canRenew }, update)
  }

  async function activateReplaced(
    token: string,
    update: { readonly changes: unknown } | undefined,
  ): Promise<ActiveSession | null> {
    const found = await findReplaced(token)
    return found && active(token, { ...found, terms: {}, isRenewed: false }, update)
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
   * Leaves a session to requests in progress. False if there is none, or another request was faster.
   *
   * @param take takes its row away, and tells whether it was there
   */
  async function replace(
    token: string,
    { end, session: { userId } }: { readonly end: number; readonly session: AdapterSession },
    take: () => Awaitable<boolean>,
  ): Promise<boolean> {
    const sessionToken = await replacedName(token)
    const expires = new Date(Math.min(now() + GRACE, end))
    try {
      // Under another name, so that a renewal in progress finds nothing to extend.
      await rows.createSession({ sessionToken, userId, expires })
    } catch (error) {
      if (await findReplaced(token)) return false
      throw error
    }
    const isTaken = await take()
    if (!isTaken) await rows.deleteSession(sessionToken)
    return isTaken
  }

  /** Whether there was such a row. Asked first, since what some stores answer to a deletion says nothing. */
  async function remove(token: string): Promise<boolean> {
    const isThere = (await rows.getSessionAndUser(token)) !== null
    if (isThere) await rows.deleteSession(token)
    return isThere
  }

  /** A row that gets another name keeps its columns, also those that nobody here knows. */
  async function rename(
    token: string,
    { sessionToken, expires, lastSeenAt }: Omit<AdapterSession, 'userId'>,
  ): Promise<boolean> {
    if (!(await rows.renameSession?.(token, sessionToken))) return false
    await rows.updateSession({ sessionToken, expires, ...(lastSeenAt && { lastSeenAt }) })
    return true
  }

  /** The same session in a new row. */
  async function copy(token: string, row: AdapterSession): Promise<boolean> {
    await rows.createSession(row)
    if (await remove(token)) return true
    await rows.deleteSession(row.sessionToken) // ended meanwhile, and so is what came of it
    return false
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
      const ended = await rows.deleteSession(token)
      // Some stores mind being asked to delete what is not there.
      if (!ended && (await findReplaced(token))) await rows.deleteSession(await replacedName(token))
      return { session: ended }
    },
    async endReplaced(token) {
      const found = await find(token)
      if (found && found.end > now()) await replace(token, found, () => remove(token))
      else if (found) await rows.deleteSession(token)
    },
    async rotate(token) {
      const found = await findValid(token)
      if (!found) return null
      const next = draft({ terms: found.terms })
      const { userId } = found.session
      const isReplaced = await replace(token, found, () =>
        rows.renameSession ? rename(token, next) : copy(token, { ...next, userId }),
      )
      return isReplaced ? issued(next, found.terms) : null
    },
    isTemporary: async token => termsIn(token).tmp ?? false,
    own: createDatabaseList(rows, async token => {
      const found = await findValid(token)
      return found && { ...found, name: parts.hashesTokens ? await hashedName(token) : token }
    }),
  }
}

function issued(
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  { tmp }: Terms,
): IssuedSession {
  return { token: sessionToken, expires, ...(tmp && { isTemporary: true }) }
}

/** Rows may be of anyone's making. */
function timeOf(date: unknown): number | undefined {
  return date instanceof Date ? date.getTime() : undefined
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
