import type { SessionDetails } from '../base/session.ts'

/** A session among the others of its user. */
export interface StoredSession extends SessionDetails {
  /** What the store knows it by. Nobody outside is told. */
  readonly id: string
}

/** The session that somebody has come with. */
export interface OwnSession extends StoredSession {
  readonly userId: string
  /** What a rotation in this moment stores for it, which is not another session. */
  readonly successors?: readonly string[]
}

/** The sessions of one user, each by itself. Both strategies implement this. */
export interface SessionList {
  /** Those of the same user that are valid, the latest seen first. Throws where they are not kept. */
  list(own: OwnSession, most: number): Promise<readonly StoredSession[]>
  end(own: OwnSession, id: string): Promise<void>
  /** Ends all but this one, however many are shown. */
  endOthers(own: OwnSession): Promise<void>
}
