import type { Awaitable } from '../../base/awaitable.ts'
import type { JwtParams } from '../../base/callbacks.ts'
import type { JWT, Session } from '../../base/session.ts'
import type { Opened, OpenFailure } from '../../crypto/opened-token.ts'
import type { Lifetime } from '../lifetime.ts'
import type { LazyRevocations, RevocationKeys } from '../revocation.ts'
import type { LazyTracker } from '../session-tracker.ts'
import type { ActiveSession } from '../store.ts'
import type { TokenMemory } from './token-cache.ts'

/** The dependencies of JWT sessions. */
export interface JwtSessionDependencies {
  readonly lifetime: Lifetime
  /** The application's callback; undefined if it does not have one. */
  readonly jwt: ((params: JwtParams) => Awaitable<JWT | null>) | undefined
  readonly codec: TokenCodec
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** The claims that are seen of the user besides; undefined if the application names none. */
  readonly expose: readonly string[] | undefined
  /** Null if every token is to be opened. */
  readonly memory: TokenMemory<TokenFacts> | null
  /** Null if sessions end by themselves, and not before. */
  readonly revocations: LazyRevocations | null
  /** Null if nothing needs the list of sessions. */
  readonly openTracker: LazyTracker | null
  /** Whether the application wants it so: none is to be ended, by any of its servers. */
  readonly isRevocationOff: boolean
  /** Receives the tokens that were not opened. */
  readonly report: (failure: OpenFailure) => Awaitable<void>
  readonly now: () => number
}

/** How tokens are opened and sealed: our way, or the application's own. */
export interface TokenCodec {
  /** Whether it is the application's. */
  readonly isOwn?: boolean
  open(token: string, now: number): Awaitable<Opened | OpenFailure>
  /** @param maxAge how long it lives, in seconds, if that differs from the configuration */
  seal(claims: JWT, maxAge?: number): Awaitable<string>
}

/** The facts about a token that was opened, other than whether it has expired by now. */
export interface TokenFacts {
  /** The claims as they were sealed. The application's copy is made from it each time. */
  readonly text: string
  readonly name: JWT['name']
  readonly email: JWT['email']
  readonly image: JWT['picture']
  /** In milliseconds. */
  readonly issued: number
  readonly endsAt: number
  /** When it ends, as sessions say it. */
  readonly expires: string
  /** The keys that it can be revoked by; undefined if it cannot be revoked. */
  readonly keys: RevocationKeys | undefined
}

/** A session of which the application wants to know nothing more. */
export function unwatched(session: Session): ActiveSession {
  return { session, params: null, token: undefined, renewal: null }
}

/** The session if the application does not have a callback for it. */
export function sessionFromToken(
  facts: Pick<TokenFacts, 'name' | 'email' | 'image' | 'expires'>,
): Session {
  const { name, email, image, expires } = facts
  // Members that are undefined vanish on the way to the browser.
  return { user: { name, email, image } as NonNullable<Session['user']>, expires }
}
