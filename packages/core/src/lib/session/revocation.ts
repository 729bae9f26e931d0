import type { RevocationCondition } from '../base/adapter.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { JWT } from '../base/session.ts'
import type { StartTime } from '../base/start-time.ts'
import type { ProviderSessionKeys, SessionLimits } from './lifetime.ts'
import type { AllSessionLimits } from './session-claims.ts'

/** The claim that contains the {@link SessionClaims}. A single one, so that it does not collide with others. */
export const SESSION_CLAIM = 'siteauth'

/** {@link RevocationView} that are opened at their first use. */
export interface LazyRevocations {
  /** Null until then. */
  readonly opened: RevocationView | null
  open(): Promise<RevocationView>
}

/** Knows which sessions in cookies were ended before their time, and ends them. */
export interface RevocationView {
  /**
   * The keys that a token can be revoked by. One of an earlier version, or of Auth.js, has them as well.
   *
   * @param limits those of the token, if they are available
   */
  keysOf(token: JWT, limits?: AllSessionLimits): RevocationKeys
  /**
   * Whether a session was ended, as far as this process knows. At once, most of the time.
   *
   * @param overdue the age of its token in milliseconds, where it should be renewed, and cannot be
   */
  isRevoked(sessionKeys: RevocationKeys, time: number, overdue: number | false): Awaitable<boolean>
  /** The status of a session in the store. */
  readStatus(sessionKeys: RevocationKeys): Promise<RevocationStatus>
  /**
   * The same for a session whose token is due, and of that age in milliseconds. It is `unknown` if the store does not
   * respond and the session continues as it is.
   */
  renewalStatus(sessionKeys: RevocationKeys, age: number): Promise<RevocationStatus | 'unknown'>
  /** How a store can check that a session was not revoked. */
  conditionOf(sessionKeys: RevocationKeys): RevocationCondition
  /** The same for something that all revocations of a user's sessions end which have a higher generation. */
  conditionOfUser(userId: string, generation: number): RevocationCondition
  /** The claims that are sealed into the token of a session that begins. */
  begin(userId: string | undefined): Promise<SessionClaims>
  /** Claims with these among them, whatever the application made of them. */
  withSessionClaims(token: JWT, claims: SessionClaims): JWT
  /** False if it ended nothing: the token was replaced before, or the store has not accepted it yet. */
  revoke(sessionKeys: RevocationKeys): Promise<boolean>
  /**
   * Ends a token that is over because sessions have become shorter, so that it is over if they become longer again. The
   * session may go on with a token that is newer.
   */
  revokeToken(sessionKeys: RevocationKeys): Promise<void>
  /** Records that a token is sealed, so that what revokes it is kept as long as it lives. */
  cover(): Promise<void>
  /**
   * Ends a session in a moment, with all its tokens. Returns since when, by the clock of the store; null if it was ended or
   * replaced before.
   */
  replace(sessionKeys: RevocationKeys): Promise<number | null>
  /**
   * Ends the tokens of a session in a moment. Returns the claims of its next token; null if it was revoked or
   * replaced before. Throws only if the tokens remain valid.
   */
  rotate(sessionKeys: RevocationKeys): Promise<RotatedClaims | null>
  /** Ends every session that this user has. Returns when that was, by the clock of the store. */
  revokeUser(userId: string, options?: UserRevocation): Promise<number>
  /** When a user's sessions were last ended all at once, by the clock of the store; 0 if they never were. */
  lastRevocationOf(userId: string): Promise<number>
  /** The time of the store, for something that starts now. */
  readStart(): Promise<StartTime>
  /** The same for a caller that can do without. Throws soon if the store does not respond. */
  readStartBriefly(): Promise<StartTime>
  /** When all sessions of a user can first have been ended after something started, by the clock of the store. */
  firstRevocationSince(start: StartTime, userId: string): number
  /**
   * Revokes sessions that a provider has ended. False if the notice was received before. Throws if the store rejects
   * it.
   */
  revokeByProvider(revocation: ProviderRevocation): Promise<boolean>
  /** Ends sessions by their keys. Throws if the store does not take it. */
  revokeKeys(keys: readonly string[]): Promise<void>
  /**
   * Stands for the audience in keys; null without one. Sessions that began in an earlier version do not have one,
   * either.
   */
  readonly tag: string | null
  /** Which of these sessions were ended, as the store knows it. */
  findRevoked<Listed extends ListedKeys>(all: readonly Listed[]): Promise<ReadonlySet<Listed>>
}

/** How all sessions of a user are ended. */
export interface UserRevocation {
  /** The earliest time that it may have been; the present one if it is left out. */
  readonly at?: number | undefined
  /** Whether the user is the same person for all audiences, so that the sessions of all end. */
  readonly isShared?: boolean
  /** For how many seconds this is kept at least; as long as sessions last if it is left out. */
  readonly retentionSeconds?: number
}

/** The claims of the next token of a session. */
export interface RotatedClaims {
  readonly claims: SessionClaims
  /** Why it is unknown whether the tokens before have ended. The next one is valid whether they have or not. */
  readonly failure?: unknown
}

/** The keys of a listed session. */
export interface ListedKeys {
  /** The key of the session; undefined if it is ended by other means than the log. */
  readonly key?: string
  /** The keys by which its provider can end it. */
  readonly rk: ProviderSessionKeys | undefined
}

/** A session whose token was replaced can be read for a moment, but is neither renewed nor changed. */
export type RevocationStatus = 'active' | 'replaced' | 'revoked'

/** The sessions that a provider has ended. */
export interface ProviderRevocation {
  /** The keys of the sessions: those of them that came from an earlier sign-in are ended. */
  readonly keys: readonly string[]
  /** When the last sign-in was that this is about, by the provider's clock, in seconds. */
  readonly issuedUpTo: number
  /** The key of the notice itself, and until when it could come again. */
  readonly once?: { readonly key: string; readonly until: Date }
}

/** The claims of a token about its session, whatever the application makes of the other claims. */
export interface SessionClaims extends SessionLimits {
  /**
   * The session, which stays the same while its token is renewed. Null if nothing tells it from
   * others.
   */
  readonly sid: string | null
  /** The user's generation at the beginning: all sessions of a lower one can be revoked at once. */
  readonly gen: number
  /** The generation of its token, once it got another: tokens of a lower one end in a moment. */
  readonly rot?: number | undefined
  /** The user, if the claim `sub` differs. */
  readonly uid?: string | undefined
}

/** The keys that a session can be revoked by. */
export interface RevocationKeys {
  readonly claims: SessionClaims
  readonly session: RevocationKey | null
  /** The key for all sessions of the user: with an audience, those of the audience. */
  readonly user: RevocationKey | null
  /** With an audience, what those of all audiences are ended by. */
  readonly sharedUser: RevocationKey | null
  /** The keys of its provider. */
  readonly provider: readonly RevocationKey[]
  /** What this token is ended by, and no other of the session; null if nothing tells it from others. */
  readonly token: RevocationKey | null
  /** A state of all that was ended, of which this is known to be no part. */
  notRevokedIn?: object
  /** When the store was asked, and knew of nothing that ends the session. */
  activeIn?: ActiveState
}

/** What the store was asked about a session that is not known here. */
interface ActiveState {
  /** When that was, by the clock of the configuration. */
  readonly time: number
  /** How many keys there were that only the store knows. */
  readonly left: number
}

/** A key that sessions are revoked by. */
export interface RevocationKey {
  readonly text: string
  /** 32 bits of it, so that most lookups end there. Meaningless if the name was escaped. */
  readonly hash: number
  /** Whether its name is not one that stores take as it is. */
  readonly isEscaped: boolean
}
