import type { AdapterSession, AdapterUser, SessionRenewal } from '../../base/adapter.ts'
import type { Awaitable } from '../../base/awaitable.ts'

/** A session and its user. */
interface FoundSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly isRenewed: boolean
}

/** The methods of an adapter that database sessions need. */
export interface SessionMethods {
  createSession(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  getAndRenewSession?(sessionToken: string, renewal: SessionRenewal): Awaitable<FoundSession | null>
  updateSession(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<unknown>
  deleteSession(sessionToken: string): Awaitable<AdapterSession | null | undefined>
  listSessions?(userId: string, limit?: number): Awaitable<readonly AdapterSession[]>
  deleteOtherSessions?(session: {
    userId: string
    sessionToken: string
    successors?: readonly string[]
  }): Awaitable<number>
}
