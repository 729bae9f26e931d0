import type { SessionDetails } from '../base/session.ts'
import type { OwnSession, StoredSession } from '../session/session-list.ts'
import type { SessionAbsence } from '../session/store.ts'

/**
 * The sender of a request: a user, or the reason why there is none. API keys and access tokens will be further kinds.
 */
export type Principal = UserPrincipal | NoPrincipal

/** A request without an identified sender. */
interface NoPrincipal {
  readonly kind: 'none'
  readonly reason: PrincipalAbsence
}

/** Why a request has no principal. A store that does not respond is not a reason: it is an error. */
export type PrincipalAbsence =
  | SessionAbsence
  /** The request has no session cookie. */
  | 'no_credential'
  /** The `session` callback returned null. */
  | 'hidden'
  /** The session names no user. */
  | 'no_user'

/** A user who has shown a credential with the request. */
export interface UserPrincipal {
  readonly kind: 'user'
  readonly userId: string
  readonly strategy: 'jwt' | 'database'
  /** The audience that the session was issued for; undefined if the configuration has none. */
  readonly audience: string | undefined
  /** The factors by which the user started the session, and when. A second factor will add to it. */
  readonly credentials: readonly PresentedCredential[]
  readonly session: PrincipalSession
  /**
   * Whether sessions of another user came with the request, or so many cookies that one may be hidden among them. One of
   * them was planted, and it is unknown which.
   */
  readonly isContested: boolean
}

/** A credential that a user has presented. */
interface PresentedCredential {
  readonly kind: 'sign-in'
  /** In milliseconds; undefined if the session does not tell. */
  readonly at: number | undefined
}

/** The session of a principal. */
export interface PrincipalSession {
  /** Distinguishes this token of the session from all others, in caches of this process. It must not leave it. */
  readonly cacheKey: string
  /** Whether this very browser was given the session, rather than the cookie of another one. */
  isBound(): Promise<boolean>
  /** The session as it is listed; null if nothing distinguishes it from others of its user. */
  listed(): Promise<OwnSession | null>
  /** The sessions of the same user, the latest seen first. Throws if the store has no list. */
  list(
    own: OwnSession,
    most: number,
  ): Promise<readonly (SessionDetails & { readonly id: string })[]>
  end(own: OwnSession, session: StoredSession): Promise<void>
  endOthers(own: OwnSession): Promise<void>
}
