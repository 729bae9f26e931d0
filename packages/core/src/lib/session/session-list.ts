import type { SessionDetails } from '../base/session.ts'

/** A session among the others of its user. */
export interface StoredSession extends SessionDetails {
  /** The store's name of the session. It is never shown. */
  readonly id: string
}

/** The session of the request. */
export interface OwnSession extends StoredSession {
  readonly userId: string
  /** The row that a rotation at this moment stores for it, which is not another session. */
  readonly successors?: readonly string[]
}

/** The sessions of one user, each by itself. Both strategies implement this. */
export interface SessionList {
  /** The valid sessions of the same user, the most recently seen first. Throws if they are not recorded. */
  list(own: OwnSession, most: number): Promise<readonly StoredSession[]>
  end(own: OwnSession, session: StoredSession): Promise<void>
  /** Ends several, with few calls of the store. One that is given a new token at this moment may live. */
  endSeveral(own: OwnSession, sessions: readonly StoredSession[]): Promise<void>
  /** Ends all but this one, however many are shown. */
  endOthers(own: OwnSession): Promise<void>
}
