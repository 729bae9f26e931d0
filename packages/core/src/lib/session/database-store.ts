import type { SessionParams } from '../base/callbacks.ts'
import type { AdapterSession, AdapterUser, Session, SessionRenewal } from '../base/model.ts'
import { addExposed } from './exposed.ts'
import { createColumnHider } from './hide-columns.ts'
import { type Lifetime, latestEnd, nextExpiry, type Terms } from './lifetime.ts'
import { isDigestName, nameWith, replacedName, termsIn } from './row-name.ts'
import { isDueAt, renewalAt } from './row-renewal.ts'
import { type ActiveSession, GRACE, type IssuedSession, type SessionStore } from './store.ts'
import { timeText } from './time-text.ts'

interface FoundSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly isRenewed: boolean
}

/** What database sessions ask of an adapter. */
export interface SessionRows {
  createSession(session: AdapterSession): Promise<AdapterSession>
  getSessionAndUser(
    sessionToken: string,
  ): Promise<{ session: AdapterSession; user: AdapterUser } | null>
  getAndRenewSession?(sessionToken: string, renewal: SessionRenewal): Promise<FoundSession | null>
  updateSession(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Promise<unknown>
  deleteSession(sessionToken: string): Promise<AdapterSession | null | undefined>
}

/** What database sessions are made of. */
export interface DatabaseStoreParts {
  readonly lifetime: Lifetime
  readonly rows: SessionRows
  readonly generateSessionToken: () => string
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** The columns of the user that are seen besides; undefined where the application names none. */
  readonly expose: readonly string[] | undefined
  readonly now: () => number
}

/** Sessions that are rows of a database. The cookie holds nothing but the name of the row. */
export function createDatabaseStore(parts: DatabaseStoreParts): SessionStore {
  const { lifetime, rows, expose, now } = parts
  const guardUser = createColumnHider([...SHOWN_OF_USER, ...(expose ?? [])])
  const guardSession = createColumnHider(SHOWN_OF_SESSION)

  function draft({ bgn = now(), ...terms }: Terms = {}): Omit<AdapterSession, 'userId'> {
    // What is not configured is in no name, so that names stay what they were.
    const said = lifetime.absoluteAge === undefined ? terms : { ...terms, bgn }
    return {
      sessionToken: nameWith(parts.generateSessionToken(), said),
      expires: new Date(nextExpiry(now(), lifetime, said)),
    }
  }

  /** A row as it counts: it may say that it ends later than it does. */
  function limited<Found extends { readonly session: AdapterSession }>(
    found: Found,
    token: string,
  ) {
    // A store may take one name for another. The row says what it was stored with.
    const said = termsIn(found.session.sessionToken ?? token)
    const terms: Terms = { ...said, bgn: said.bgn ?? createdAt(found.session) }
    const end = Math.min(found.session.expires.getTime(), latestEnd(lifetime, terms))
    return { ...found, terms, end, session: { ...found.session, expires: new Date(end) } }
  }

  async function find(token: string) {
    const found = isDigestName(token) ? null : await rows.getSessionAndUser(token)
    return found && limited(found, token)
  }

  /** A session that was replaced a moment ago. It is shown to what is under way, and that is all. */
  async function findReplaced(token: string) {
    const found = await rows.getSessionAndUser(await replacedName(token))
    return found && found.session.expires.getTime() > now() ? found : null
  }

  /** A session that is valid now, extended if it is due. */
  async function activate(
    sessionToken: string,
    renew: boolean,
    update?: { readonly changes: unknown },
  ): Promise<ActiveSession | null> {
    // What somebody has read in the store is no cookie.
    if (isDigestName(sessionToken)) return null
    const asked = now()
    const said = termsIn(sessionToken)
    // When an older session ends at the latest is known only when it was read.
    const isKnown = lifetime.absoluteAge === undefined || said.bgn !== undefined
    const inOne =
      renew && isKnown
        ? await rows.getAndRenewSession?.(sessionToken, renewalAt(asked, lifetime, said))
        : undefined
    const read = inOne === undefined ? await rows.getSessionAndUser(sessionToken) : inOne
    if (!read) return activateReplaced(sessionToken, update)
    const found = limited(read, sessionToken)
    const { end, terms } = found
    if (end <= asked) {
      await rows.deleteSession(sessionToken)
      return null
    }
    if (inOne) return active(sessionToken, { ...found, isRenewed: inOne.isRenewed }, update)
    const renewal = renewalAt(asked, lifetime, terms)
    const isDue = isDueAt(end, renewal)
    // Sessions have become shorter since: that counts at once, and needs no new cookie.
    const isTooLong = end > renewal.dueAfter.getTime()
    if (!isTooLong && !(isDue && renew)) {
      return active(sessionToken, { ...found, isRenewed: false }, update, !isDue)
    }
    // Row and cookie are extended together, or not at all.
    const { expires } = renewal
    const kept = await rows.updateSession({ sessionToken, expires })
    if (kept === null && !(await find(sessionToken))) return activateReplaced(sessionToken, update)
    const session = { ...found.session, expires }
    return active(sessionToken, { ...found, session, isRenewed: renew }, update)
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
    isCurrent = true,
  ): ActiveSession {
    const { expires } = session
    return {
      shown: shownSession(user, expires, expose),
      params: parts.isWatched ? sessionParams(session, user, update) : null,
      token: undefined,
      renewal: isRenewed ? issued({ sessionToken, expires }, terms) : null,
      isCurrent,
    }
  }

  /** Whether there was something to end. */
  async function replace(token: string): Promise<boolean> {
    const found = await find(token)
    if (!found) return false
    if (found.end <= now()) {
      await rows.deleteSession(token)
      return false
    }
    const sessionToken = await replacedName(token)
    const expires = new Date(Math.min(now() + GRACE, found.end))
    try {
      // Under another name, so that a renewal that is under way finds nothing to extend.
      await rows.createSession({ sessionToken, userId: found.session.userId, expires })
    } catch (error) {
      if (await findReplaced(token)) return false // another request was faster
      throw error
    }
    // Asked again, since what some stores answer to a deletion says nothing. Whoever ends all sessions of
    // the user from now on ends the new ones, too.
    const isThere = await rows.getSessionAndUser(token)
    await rows.deleteSession(isThere ? token : sessionToken)
    return isThere !== null
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
    async issue({ user, session, draft: decided, terms }) {
      const row = decided ?? draft(terms)
      const stored = session ?? (await rows.createSession({ ...row, userId: user.id ?? '' }))
      return issued(stored, termsIn(stored.sessionToken))
    },
    read: (token, renew) => activate(token, renew),
    update: (token, changes) => activate(token, true, { changes }),
    async userIdOf(token) {
      const found = await find(token)
      return found && found.end > now() ? found.user.id : null
    },
    async revoke(token) {
      if (isDigestName(token)) return { session: null }
      const ended = await rows.deleteSession(token)
      // Some stores mind being asked to delete what is not there.
      if (!ended && (await findReplaced(token))) await rows.deleteSession(await replacedName(token))
      return { session: ended }
    },
    async endReplaced(token) {
      await replace(token)
    },
    async rotate(token) {
      const found = await find(token)
      if (!found || found.end <= now()) return null
      const { userId } = found.session
      const stored = await rows.createSession({ ...draft(found.terms), userId })
      if (await replace(token)) return issued(stored, found.terms)
      await rows.deleteSession(stored.sessionToken) // ended meanwhile, and so is what came of it
      return null
    },
    isTemporary: async token => termsIn(token).tmp ?? false,
  }
}

function issued(
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  { tmp }: Terms,
): IssuedSession {
  return { token: sessionToken, expires, ...(tmp && { isTemporary: true }) }
}

/** When a row was made, where its table has a column for it. */
function createdAt(row: object): number | undefined {
  const { createdAt } = row as { readonly createdAt?: unknown }
  return createdAt instanceof Date ? createdAt.getTime() : undefined
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
