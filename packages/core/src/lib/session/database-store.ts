import type { SessionParams } from '../base/callbacks.ts'
import type {
  AdapterSession,
  AdapterUser,
  Session,
  SessionDetails,
  SessionRenewal,
} from '../base/model.ts'
import { createDatabaseList } from './database-list.ts'
import { addExposed } from './exposed.ts'
import { createColumnHider } from './hide-columns.ts'
import { isDueForRenewal, type Lifetime, nextExpiry, ONE_MINUTE } from './lifetime.ts'
import type { FoundSession, SessionRows } from './session-rows.ts'
import type { ActiveSession, ReadOptions, SessionStore } from './store.ts'
import { timeText } from './time-text.ts'

/** What database sessions are made of. */
export interface DatabaseStoreParts {
  readonly lifetime: Lifetime
  readonly rows: SessionRows
  readonly generateSessionToken: () => string
  /** Whether the rows have columns for {@link SessionDetails}. */
  readonly takesDetails: boolean
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

  function draft(details?: SessionDetails): Omit<AdapterSession, 'userId'> {
    const time = now()
    return {
      sessionToken: parts.generateSessionToken(),
      expires: new Date(nextExpiry(time, lifetime)),
      ...(parts.takesDetails && { createdAt: new Date(time), ...seenAt(time), ...details }),
    }
  }

  function seenAt(time: number): Pick<AdapterSession, 'lastSeenAt'> {
    return parts.takesDetails ? { lastSeenAt: new Date(time) } : {}
  }

  /** A session that is valid now, extended if it is due. */
  async function activate(
    sessionToken: string,
    { canRenew }: ReadOptions,
    update?: { readonly changes: unknown },
  ): Promise<ActiveSession | null> {
    const time = now()
    const renewal = canRenew ? renewalAt(time, lifetime) : null
    const inOne = renewal ? await rows.getAndRenewSession?.(sessionToken, renewal) : undefined
    const found = inOne === undefined ? await rows.getSessionAndUser(sessionToken) : inOne
    if (!found) return null
    const { session, user } = found
    const end = session.expires.getTime()
    if (end <= time) {
      await rows.deleteSession(sessionToken)
      return null
    }
    if (inOne) return active(sessionToken, inOne, update)
    const isDue = isDueForRenewal(end - lifetime.maxAge * 1000, lifetime, time)
    const latest = nextExpiry(time, lifetime)
    if (!renewal && end > latest + ONE_MINUTE) {
      // Sessions have become shorter since. That counts at once, and needs no new cookie.
      const expires = new Date(latest)
      await rows.updateSession({ sessionToken, expires })
      const shortened = { session: { ...session, expires }, user, isRenewed: false }
      return active(sessionToken, shortened, update)
    }
    if (!isDue || !renewal) {
      return {
        ...active(sessionToken, { session, user, isRenewed: false }, update),
        isCurrent: !isDue,
      }
    }
    // Row and cookie are extended together, or not at all.
    const { expires } = renewal
    await rows.updateSession({ sessionToken, expires, ...seenAt(time) })
    const renewed = { session: { ...session, expires }, user, isRenewed: true }
    return active(sessionToken, renewed, update)
  }

  function active(
    sessionToken: string,
    { session, user, isRenewed }: FoundSession,
    update: { readonly changes: unknown } | undefined,
  ): ActiveSession {
    const { expires } = session
    return {
      shown: shownSession(user, expires, expose),
      params: parts.isWatched ? sessionParams(session, user, update) : null,
      token: undefined,
      renewal: isRenewed ? { token: sessionToken, expires } : null,
      isCurrent: true,
    }
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
    async issue({ user, session, draft: decided, details }) {
      const stored =
        session ??
        (await rows.createSession({ ...(decided ?? draft(details)), userId: user.id ?? '' }))
      return { token: stored.sessionToken, expires: stored.expires }
    },
    read: (token, how) => activate(token, how),
    update: (token, changes) => activate(token, { canRenew: true }, { changes }),
    async userIdOf(token) {
      const found = await rows.getSessionAndUser(token)
      return found && found.session.expires.getTime() > now() ? found.user.id : null
    },
    revoke: async token => ({ session: await rows.deleteSession(token) }),
    async endReplaced(token) {
      // Some stores mind being asked to delete what is not there.
      if (await activate(token, { canRenew: false })) await rows.deleteSession(token)
    },
    own: createDatabaseList(rows, now),
  }
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

/** When a session is due for renewal, said of when it ends, which is what a store of rows knows. */
export function renewalAt(now: number, lifetime: Lifetime): SessionRenewal {
  const expires = nextExpiry(now, lifetime)
  return {
    now: new Date(now),
    dueUntil: new Date(expires - lifetime.updateAge * 1000),
    dueAfter: new Date(expires + ONE_MINUTE),
    expires: new Date(expires),
  }
}
