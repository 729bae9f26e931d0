import type { SessionParams } from '../callbacks.ts'
import type { AdapterSession, AdapterUser } from '../model.ts'
import { isDueForRenewal, type Lifetime, nextExpiry } from './lifetime.ts'
import type { ActiveSession, SessionStore } from './store.ts'

/** What database sessions ask of an adapter. */
export interface SessionRows {
  createSession(session: AdapterSession): Promise<AdapterSession>
  getSessionAndUser(
    sessionToken: string,
  ): Promise<{ session: AdapterSession; user: AdapterUser } | null>
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
  readonly now: () => number
}

/** Sessions that are rows of a database. The cookie holds nothing but the name of the row. */
export function createDatabaseStore(parts: DatabaseStoreParts): SessionStore {
  const { lifetime, rows, now } = parts

  function draft(): Omit<AdapterSession, 'userId'> {
    return {
      sessionToken: parts.generateSessionToken(),
      expires: new Date(nextExpiry(now(), lifetime)),
    }
  }

  async function activate(
    sessionToken: string,
    renew: boolean,
    update?: { readonly changes: unknown },
  ): Promise<ActiveSession | null> {
    const found = await rows.getSessionAndUser(sessionToken)
    if (!found) return null
    const { session, user } = found
    if (session.expires.getTime() <= now()) {
      await rows.deleteSession(sessionToken)
      return null
    }
    const issued = session.expires.getTime() - lifetime.maxAge * 1000
    const isDue = renew && isDueForRenewal(issued, lifetime, now())
    const expires = isDue ? new Date(nextExpiry(now(), lifetime)) : session.expires
    // Row and cookie are extended together, or not at all.
    if (isDue) await rows.updateSession({ sessionToken, expires })
    const params = {
      session: hideToken({ ...session, expires, user }),
      user,
      newSession: update?.changes,
      ...(update && { trigger: 'update' }),
    }
    return {
      // The documented type joins what the two strategies give; each gives its own half.
      params: params as unknown as SessionParams,
      token: undefined,
      renewal: isDue ? { token: sessionToken, expires } : null,
      expires: expires.getTime(),
    }
  }

  return {
    draft,
    async issue({ user, session }) {
      const stored = session ?? (await rows.createSession({ ...draft(), userId: user.id ?? '' }))
      return { token: stored.sessionToken, expires: stored.expires }
    },
    read: (token, renew) => activate(token, renew),
    update: (token, changes) => activate(token, true, { changes }),
    async userIdOf(token) {
      const found = await rows.getSessionAndUser(token)
      return found && found.session.expires.getTime() > now() ? found.user.id : null
    },
    revoke: async token => ({ session: await rows.deleteSession(token) }),
  }
}

/**
 * Callbacks often return the session as it is, and all of that reaches scripts in the browser. The
 * token can still be read, but is passed over when the session is copied or written as JSON.
 */
function hideToken<T extends AdapterSession>(session: T): T {
  return Object.defineProperty(session, 'sessionToken', { enumerable: false })
}
