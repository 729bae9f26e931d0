import type { RevocationEntry } from '../../base/stores.ts'
import type { RevocationKey, RevocationKeys, SessionClaims } from '../../session/revocation.ts'
import { GRACE } from '../../session/store.ts'
import { RevocationEntries } from './revocation-entries.ts'
import { LATEST_EXPIRY } from './revocation-keys.ts'

/** The revocation keys that a process holds. */
export interface RevokedKeys {
  add(revocation: RevocationEntry): void
  /** States that all entries of the log were added. Until then, only the store can tell what was not revoked. */
  complete(): void
  readonly isComplete: boolean
  /**
   * Whether a session was revoked; undefined if only the store can tell.
   *
   * @param time of the store, in milliseconds
   */
  has(keys: RevocationKeys, time: number): boolean | undefined
  /** Whether a key of a session may be held here. False is certain. */
  mayHave(keys: RevocationKeys): boolean
  /** Whether the token of a session was replaced, and its time is up. */
  isOutdated(keys: RevocationKeys, time: number): boolean
  /** The highest generation of a key that was revoked, or 0. */
  generationOf(key: RevocationKey): number
  /** When the last token that was sealed so far will have expired, in milliseconds; 0 if that is not known. */
  latestExpiry(): number
  /** Forgets what has nothing left to end. */
  forget(time: number): Promise<void>
  /** What is held and has not ended, in parts. */
  held(): Iterable<readonly RevocationEntry[]>
  /** How many keys were not held so far because there were too many: only the store can tell whether it is one of them. */
  readonly left: number
}

/** Beyond this, keys are in the filter alone, and the store is queried about them. They take about 300 MB. */
const MAX_ENTRIES = 8_000_000

/**
 * Whether tokens that were replaced have ended. The store makes generations from its clock, so this
 * needs no process that is still running then.
 */
export function isOver(generation: number, time: number): boolean {
  return generation + GRACE <= time
}

/** Whether a session came of a sign-in at its provider that lies before what was revoked there. */
export function isEarlier({ rk }: Pick<SessionClaims, 'rk'>, generation: number | null): boolean {
  return generation === null || (rk?.at ?? 0) * 1000 < generation
}

/**
 * Holds revocation keys, and compares sessions with them.
 *
 * @param maxEntries how many keys are held; for tests
 */
export function createRevokedKeys(maxEntries: number = MAX_ENTRIES): RevokedKeys {
  const entries = new RevocationEntries(maxEntries)
  let latestExpiry = 0
  /** What is known of a session whose keys are not held. */
  let absent: false | undefined
  return {
    add(revocation) {
      if (revocation.key !== LATEST_EXPIRY) entries.add(revocation)
      else latestExpiry = Math.max(latestExpiry, new Date(revocation.until).getTime() || 0)
    },
    // The filter stops nearly every session.
    has(keys, time) {
      const held = entries.mayHaveAny(keys) && isRevoked(entries, keys, time)
      return held === false ? absent : held
    },
    mayHave: keys => entries.mayHaveAny(keys),
    complete() {
      absent = false
    },
    get isComplete() {
      return absent === false
    },
    isOutdated: (keys, time) => isOutdated(entries, keys, time),
    generationOf: key => entries.generationOf(key),
    latestExpiry: () => latestExpiry,
    forget: time => entries.forget(time),
    *held() {
      if (latestExpiry > 0 && latestExpiry >= entries.past * 1000) {
        yield [{ key: LATEST_EXPIRY, generation: null, until: new Date(latestExpiry) }]
      }
      yield* entries.held()
    },
    get left() {
      return entries.left
    },
  }
}

function isRevoked(
  entries: RevocationEntries,
  keys: RevocationKeys,
  time: number,
): boolean | undefined {
  const { claims, user, sharedUser } = keys
  const byUser = isUserRevoked(entries, claims, user)
  const byShared = isUserRevoked(entries, claims, sharedUser)
  if (byUser || byShared) return true
  const bySession = isSessionRevoked(entries, keys, time)
  const byProvider = isProviderRevoked(entries, keys)
  if (bySession || byProvider) return true
  const byToken = isTokenRevoked(entries, keys)
  if (byToken) return true
  const all = [byUser, byShared, bySession, byProvider, byToken]
  return all.includes(undefined) ? undefined : false
}

/** Whether all sessions of the user were revoked that began before a certain time, and this is one. */
function isUserRevoked(
  entries: RevocationEntries,
  claims: SessionClaims,
  user: RevocationKey | null,
): boolean | undefined {
  if (!user) return false
  const entry = entries.find(user)
  if (!entry) return isAbsent(entry)
  return entry.generation === null || claims.gen < entry.generation
}

function isSessionRevoked(
  entries: RevocationEntries,
  { claims, session }: RevocationKeys,
  time: number,
): boolean | undefined {
  if (!session) return false
  const entry = entries.find(session)
  if (!entry) return isAbsent(entry)
  const { generation, over } = entry
  const { rot = 0 } = claims
  if (generation === null || rot < over) return true
  if (!isOver(generation, time)) return false
  // A token of a generation that is still to come ends with the others if the session was closed.
  const isClosed = entries.isClosed(session)
  if (rot >= generation && isClosed !== true) return isClosed
  entries.setOver(session, isClosed ? Infinity : generation)
  return true
}

/** Whether this very token was revoked, while the session may go on with another. */
function isTokenRevoked(
  entries: RevocationEntries,
  { token }: RevocationKeys,
): boolean | undefined {
  if (!token) return false
  const entry = entries.find(token)
  return entry ? true : isAbsent(entry)
}

/** Whether its provider has revoked all that came of sign-ins up to a certain time, and this is one. */
function isProviderRevoked(
  entries: RevocationEntries,
  { claims, provider }: RevocationKeys,
): boolean | undefined {
  let isRevoked: boolean | undefined = false
  for (const key of provider) {
    const entry = entries.find(key)
    if (entry && isEarlier(claims, entry.generation)) return true
    if (entry === undefined) isRevoked = undefined
  }
  return isRevoked
}

/** Without an entry, a key was not revoked, or only the store can tell. */
function isAbsent(entry: null | undefined): false | undefined {
  return entry === null ? false : undefined
}

function isOutdated(entries: RevocationEntries, keys: RevocationKeys, time: number): boolean {
  const { session } = keys
  if (!session || isSessionRevoked(entries, keys, time) !== true) return false
  return entries.find(session)?.generation !== null
}
