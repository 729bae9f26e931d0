import type { Awaitable } from './awaitable.ts'
import type { SessionDetails } from './session.ts'

/** The record of a session whose token is in a cookie, so that it can be listed. */
export interface TrackedSession extends SessionDetails {
  /** The key by which the session is revoked: at most 255 ASCII characters. It cannot be used to sign in. */
  id: string
  userId: string
  expires: Date
}

/**
 * Which sessions there are whose tokens are in cookies. Written when a session begins, is renewed or
 * ends, and read to list them: never to check one. Whether a session has ended, only the
 * {@link RevocationLog} knows.
 */
export interface TrackedSessions {
  add(session: TrackedSession): Awaitable<unknown>
  /** Whether it was there. */
  renew(
    session: Pick<TrackedSession, 'id' | 'userId' | 'expires' | 'lastSeenAt'>,
  ): Awaitable<boolean>
  /** Those of a user that have not expired, as many as are asked for: those that expire last come first. */
  list(userId: string, limit: number): Awaitable<readonly TrackedSession[]>
  remove(session: Pick<TrackedSession, 'id' | 'userId'>): Awaitable<unknown>
  /** Removes several of a user. A store without it is asked to remove one at a time. */
  removeSeveral?(userId: string, ids: readonly string[]): Awaitable<unknown>
  /** Removes all of a user, but for one that may be named. */
  removeAll(userId: string, except?: string): Awaitable<unknown>
}

/**
 * The revocations, stored for as long as a session could outlive them. Each process keeps a copy in memory, so
 * checking a session needs no I/O; the processes share it through the store. Only the store's clock counts: those of
 * the processes are never compared.
 *
 * @example
 * ```ts
 * import { PostgresAdapter } from '@siteauth/adapters/postgres'
 *
 * const { revocations } = PostgresAdapter({ url: 'postgres://localhost/app' })
 * await revocations.end([{ key: 's:0f8c…', until: new Date('2030-01-31') }])
 * ```
 */
export interface RevocationLog {
  /**
   * Records these revocations, and returns their entries as stored, in any order. Up to 500 are recorded all or none; of more, a
   * part may be recorded if it throws. Watchers are notified. An existing entry keeps the later `until` and gets the higher generation; if
   * everything is already ended, that stays.
   */
  end(revocations: readonly NewRevocation[]): Awaitable<readonly RevocationEntry[]>
  /** The existing entries for these keys, possibly including expired ones. */
  find(keys: readonly string[]): Awaitable<readonly RevocationEntry[]>
  /**
   * The entries recorded or changed at or after that time, by the store's clock; all of them for
   * null. Expired ones are left out. Also returns the store's time from before it looked. A store that returns a part of them, of a
   * few thousand at most, adds what the `next` part follows.
   *
   * @param cursor the `next` of the part before
   */
  since(
    time: Date | null,
    cursor?: string,
  ): Awaitable<Omit<RevocationPage, 'next'> & Partial<Pick<RevocationPage, 'next'>>>
  /**
   * A part of all entries, of a few thousand at most, in any order; the first one for null. A process that starts reads a log
   * page by page if the store can return one, and all at once with {@link since} otherwise. An entry that is recorded meanwhile
   * may be missing, one may come twice, and expired ones may be among them.
   *
   * @param cursor the `next` of the page before
   */
  page?(cursor: string | null): Awaitable<RevocationPage>
  /**
   * Records up to 500 entries again that the store has lost, as they were: an existing entry keeps the later `until` and the higher
   * generation. Needed if there is an `epoch`.
   */
  restore?(entries: readonly RevocationEntry[]): Awaitable<unknown>
  /**
   * Reports each entry as soon as any process records it. Messages may be lost while the connection is down: `onLost`
   * is called then, and watching resumes once it is back. An unreachable store counts as lost from the start, not as
   * an error. Resolves, with a function to stop, once it is listening or lost, which may take as long as the store
   * may take to respond.
   *
   * @param onListening called whenever it is listening, at first and after a loss. From then on each entry is reported, until
   *   `onLost`, so that processes have no need to read again what they know.
   */
  watch?(
    onRevoked: (entry: RevocationEntry) => void,
    onLost: () => void,
    onListening?: () => void,
  ): Awaitable<() => Awaitable<void>>
}

/** A part of a revocation log. */
export interface RevocationPage {
  readonly revocations: readonly RevocationEntry[]
  /** The store's time from before it looked. */
  readonly now: Date
  /** What the next page follows; null if this is the last one. */
  readonly next: string | null
  /**
   * Of a store that may lose the log, as a cache does: another one, or null, once it has lost entries. Processes then log an error and
   * {@link RevocationLog.restore} what they hold.
   */
  readonly epoch?: string | null
}

/** A revocation to record: what is ended from now on. */
export interface NewRevocation {
  /** The key of what is revoked: at most 255 ASCII characters, without spaces. */
  readonly key: string
  /** When nothing is left for it to end, so it may be forgotten. */
  readonly until: Date
  /**
   * Whether it only ends what began before it: the store gives it the next generation, higher than
   * any this key ever had.
   */
  readonly isGeneration?: boolean
  /**
   * With `isGeneration`, the lowest generation it may get, instead of the store's time: for revocations that go by
   * another clock.
   */
  readonly generation?: number
}

/** An entry that a revocation log has stored. */
export interface RevocationEntry {
  readonly key: string
  /** Anything with a lower one is ended. Null if everything is. */
  readonly generation: number | null
  readonly until: Date
}

/** The password of a user, as a store keeps it. */
export interface StoredPassword {
  userId: string
  /** At most 255 letters of ASCII. It says how it was made. */
  hash: string
  changedAt: Date
}

/** Keeps one password for each user, apart from the user: nothing that reads users reads it. */
export interface PasswordStore {
  get(userId: string): Awaitable<StoredPassword | null>
  /**
   * Stores a password in place of the existing one, if any. With `replaces`, only in place of one with that very
   * hash, in one step with the comparison. Returns whether it was stored.
   */
  set(password: StoredPassword, replaces?: string): Awaitable<boolean>
  /**
   * Removes the password of a user. With `hash`, only one with that very hash, in one step with the comparison. Returns whether
   * one was removed.
   */
  remove(userId: string, hash?: string): Awaitable<boolean>
}

/**
 * Counts attempts by key, for all processes that share it. Each `take` decides and counts in one step,
 * however many ask at once.
 */
export interface Limiter {
  /**
   * Counts one more attempt, if the rule allows one now. Returns 0 if so, otherwise in how many milliseconds the next
   * one is allowed; a rejected one changes nothing.
   *
   * @param key at most 255 letters of ASCII, and always with the same rule
   * @param now the time in milliseconds since 1970, as the caller has it
   */
  take(key: string, rule: LimitRule, now: number): Awaitable<number>
  /** Forgets all attempts under a key. */
  forget(key: string): Awaitable<unknown>
}

/**
 * The kinds of attempts: `credentials`, `password` and `code` can be guessed, `email` sends a message, `passkey`
 * requests options, `callback` ends a sign-in that began elsewhere, and `refresh` renews a provider's tokens.
 */
export type LimitKind =
  | 'credentials'
  | 'password'
  | 'code'
  | 'email'
  | 'passkey'
  | 'callback'
  | 'refresh'

/** How many attempts are allowed. Times are in seconds, as in all options. */
export interface LimitRule {
  /** How many attempts are allowed at once. */
  readonly burst: number
  /** How many seconds pass until one more attempt is allowed. */
  readonly refillSeconds: number
  /**
   * With this, each attempt in a row beyond the burst waits twice as long as the one before, up to this many seconds. In a
   * row are attempts that were not forgotten, by {@link Limiter.forget} or after `forgetAfterSeconds`.
   */
  readonly maxDelaySeconds?: number
  /** From this many failures in a row on, the next attempt is a day away. */
  readonly maxFailures?: number
  /** How many seconds attempts in a row are remembered. */
  readonly forgetAfterSeconds?: number
}
