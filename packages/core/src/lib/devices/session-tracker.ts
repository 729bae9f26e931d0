import { AdapterError } from '../base/errors.ts'
import { createLogger, type LoggerInstance } from '../base/logger.ts'
import type { SessionDetails } from '../base/session.ts'
import type { TrackedSession, TrackedSessions } from '../base/stores.ts'
import { withTimeout } from '../base/with-timeout.ts'
import { listedName } from '../session/listed-name.ts'
import type { RevocationKeys } from '../session/revocation.ts'
import type { Tracker } from '../session/session-tracker.ts'
import { splitInto } from '../session/split-into.ts'

/** The options of tracking. */
interface TrackSettings {
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly debug?: boolean | undefined
  readonly now?: (() => number) | undefined
}

/** How long the store may take, in milliseconds. */
const TIMEOUT = 10_000
/** How long a visitor whose session is renewed waits for the list, in milliseconds. */
const RENEWAL_TIMEOUT = 500
/** How many sessions are removed at once by a store that removes one at a time. */
const AT_ONCE = 20

/** Keeps sessions in a store. See {@link Tracker}. */
export function createTracker(store: TrackedSessions, settings: TrackSettings): Tracker {
  const { now = Date.now } = settings
  const logger = createLogger(settings)

  async function write(act: () => unknown): Promise<void> {
    try {
      await withTimeout(TIMEOUT, act)
    } catch (cause) {
      logger.error(
        new AdapterError('The list of sessions could not be kept up to date.', { cause }),
      )
    }
  }

  function rowOf(keys: RevocationKeys, expires: Date): TrackedSession | null {
    const { uid, bgn } = keys.claims
    const id = listedName(keys)
    if (id === null || uid === undefined) return null
    const createdAt = bgn === undefined ? undefined : new Date(bgn)
    const lastSeenAt = new Date(now())
    return { id, userId: uid, expires, lastSeenAt, ...(createdAt && { createdAt }) }
  }

  return {
    async begun(keys, expires, details: SessionDetails = {}) {
      const row = rowOf(keys, expires)
      if (row) await write(() => store.add({ ...row, ...details }))
    },
    async renewed(keys, expires) {
      const row = rowOf(keys, expires)
      if (!row) return
      const written = write(async () => {
        const { id, userId, lastSeenAt = new Date(now()) } = row
        // It began before sessions were tracked.
        if (!(await store.renew({ id, userId, expires, lastSeenAt }))) await store.add(row)
      })
      // The session is renewed all the same.
      await withTimeout(RENEWAL_TIMEOUT, () => written).catch(() => {})
    },
    async ended(userId, ids) {
      // All together as long as one call, if the store hangs.
      await write(() => removeSeveral(store, userId, ids))
    },
    list: (userId, limit) => withTimeout(TIMEOUT, () => store.list(userId, limit)),
  }
}

async function removeSeveral(
  store: TrackedSessions,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 1 && store.removeSeveral) {
    for (const part of splitInto(ids)) await store.removeSeveral(userId, part)
    return
  }
  // A few at a time, for the connections of a pool.
  for (const part of splitInto(ids, AT_ONCE)) {
    await Promise.all(part.map(async id => store.remove({ userId, id })))
  }
}
