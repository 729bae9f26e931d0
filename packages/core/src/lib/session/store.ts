import type { AdapterSession, AdapterUser, SessionCondition } from '../base/adapter.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { SessionParams } from '../base/callbacks.ts'
import type { JWT, Session, SessionDetails } from '../base/session.ts'
import type { Account, Profile, User } from '../base/user.ts'
import type { SessionLimits } from './lifetime.ts'
import type { OwnSession, SessionList } from './session-list.ts'

/** Someone who has shown who they are. */
export interface ProvenIdentity {
  readonly user: User | AdapterUser
  readonly account: Account
  readonly profile?: Profile
  /** Whether the adapter has just created the user; undefined if there is no adapter. */
  readonly isNewUser: boolean | undefined
  /** The session, where it was stored together with the user. */
  readonly session?: AdapterSession | null
  /** The row of the session, if it was decided before, and is not stored yet. */
  readonly draft?: Omit<AdapterSession, 'userId'> | null
  /** The details of the session; undefined if none are recorded. */
  readonly details?: SessionDetails | undefined
  /** How long the session is to last, besides what is configured. */
  readonly limits?: SessionLimits
  /** Whether the session replaces one that the visitor has, without a new proof. */
  readonly isContinued?: boolean
  /** The key that the account's tokens are bound to, as a private JWK, where nothing is stored. */
  readonly dpopKey?: string | undefined
  /** Whether the address is known to be this person's. Undefined where only the application can tell. */
  readonly isEmailProven?: boolean | undefined
}

/** The content of the session cookie. */
export interface IssuedSession {
  readonly token: string
  readonly expires: Date
  /** Whether the browser forgets the cookie when it is closed. */
  readonly isTemporary?: boolean
}

/** A session under its next token. */
export interface RotatedSession extends IssuedSession {
  /** Why it is unknown whether the token before has ended. This one is valid whether it has or not. */
  readonly failure?: unknown
}

/** A session that is valid now. */
export interface ActiveSession {
  /** The session if the application does not have a `session` callback. */
  readonly session: Session
  /** The arguments of that callback. Null if the application has neither the callback nor an event for sessions. */
  readonly params: SessionParams | null
  /** The claims, under the `jwt` strategy, where the application looks at them. */
  readonly token: JWT | undefined
  /** The replacement of the cookie; null if it stays. */
  readonly renewal: IssuedSession | null
  /** Whether it is known that the cookie stays even where it could be replaced. */
  readonly isCurrent?: boolean
}

/** The argument of the `signOut` event. */
export type EndedSession =
  | { readonly token: JWT | null }
  | { readonly session: AdapterSession | null | undefined }

/** A session that has just been issued. */
export interface NewSession extends IssuedSession {
  /** The user, as {@link IdentifiedSession} names the owner. Null if the token names none. */
  readonly userId: string | null
}

/** Why a token belongs to no session that is valid. */
export type SessionAbsence =
  /** It was sealed with another secret or for another audience, or the store has no row for it. */
  | 'unknown'
  /** It has expired, or the session has reached its absolute age. */
  | 'expired'
  /** The session was revoked: by itself, with all sessions of its user, or by its provider. */
  | 'revoked'
  /** The session has another token since. */
  | 'replaced'
  /** The `jwt` callback returned null. */
  | 'declined'

/** A token without a valid session. */
export interface NoSession {
  readonly absence: SessionAbsence
}

/** A session that the store confirms, and its owner. */
export interface IdentifiedSession {
  readonly absence?: never
  readonly active: ActiveSession
  /** Null if the token names no user. */
  readonly userId: string | null
  /** The limits that were settled when the session began. */
  readonly limits: SessionLimits
  /** How a store can check that the session is still valid, in the same step in which it links an account. */
  readonly condition: SessionCondition
  /** The session as it is listed; null if nothing distinguishes it from others of its user. */
  listed(): Promise<OwnSession | null>
}

/** Reads sessions: all of a store that most requests need. */
export interface SessionReader {
  read(token: string, options: ReadOptions): Awaitable<ActiveSession | null>
}

/** How a session is read. */
export interface ReadOptions {
  /** Whether a new cookie can be sent, so that making one is not wasted. */
  readonly canRenew: boolean
  /** Whether the `jwt` callback has seen this very token in this very request. */
  readonly isCallbackDone?: boolean
}

/** Starts sessions: all of a store that sign-ins need. */
export interface SessionIssuer {
  /** Whether a session belongs to a user who is stored as well. */
  readonly needsStoredUser: boolean
  /** The row of a new session, for stores that write it together with the user; null for others. */
  draft(start?: Pick<ProvenIdentity, 'limits' | 'details'>): Omit<AdapterSession, 'userId'> | null
  /** Null: the `jwt` callback declined. */
  issue(identity: ProvenIdentity): Promise<NewSession | null>
  revoke(token: string): Promise<EndedSession>
}

/** The two strategies, `jwt` and `database`, each implement this once. Flows never ask which it is. */
export interface SessionStore extends SessionReader, SessionIssuer {
  /** Whether sessions that were read a short while ago are in memory: reading one again costs next to nothing. */
  readonly remembers: boolean
  update(token: string, changes: unknown): Promise<ActiveSession | null>
  /**
   * Identifies the session of a token for a request that has an effect, or returns what belongs to the user: the store is
   * queried, whatever reads may believe, and the `jwt` callback is called. Throws if the store does not respond.
   */
  identify(token: string, options: ReadOptions): Promise<IdentifiedSession | NoSession>
  /**
   * The id of the session of a token, which stays the same while the token is renewed. Null for a token without
   * revocations.
   */
  sessionIdOf(token: string): Awaitable<string | null>
  /**
   * The owner of a session that can be read, as far as this process can tell, also of one that was replaced a moment ago;
   * null if it cannot be read.
   */
  userIdOf(token: string): Promise<string | null>
  /**
   * The browser has signed in again, and forgets this session. A thief of its token must not be left with it: it ends
   * in a moment, when the requests in progress are over. Until then it can be read, but neither renewed nor changed.
   */
  endReplaced(token: string): Promise<void>
  /**
   * Continues a session under a new token, with the same limits, and ends the old one as replaced. Null
   * if it is not valid. Throws only if the old token goes on.
   */
  rotate(token: string): Promise<RotatedSession | null>
  /** The limits that were settled when the session of a token began. */
  getLimits(token: string): Promise<SessionLimits>
  /** The sessions of a user, one by one. */
  readonly own: SessionList
}

/** For how long a session that was replaced can still be read, in milliseconds. */
export const GRACE = 30_000
