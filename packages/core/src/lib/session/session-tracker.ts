import type { SessionDetails } from '../base/session.ts'
import type { TrackedSession } from '../base/stores.ts'
import type { RevocationKeys } from './revocation.ts'

/** A {@link Tracker} that is opened at its first use. */
export type LazyTracker = () => Promise<Tracker>

/**
 * Records the sessions in cookies. Sessions work without it, so a failure to write is reported, and no request waits
 * for another try.
 */
export interface Tracker {
  begun(keys: RevocationKeys, expires: Date, details: SessionDetails | undefined): Promise<void>
  renewed(keys: RevocationKeys, expires: Date): Promise<void>
  ended(userId: string, ids: readonly string[]): Promise<void>
  /** Throws where the store does not answer. */
  list(userId: string, most: number): Promise<readonly TrackedSession[]>
}
