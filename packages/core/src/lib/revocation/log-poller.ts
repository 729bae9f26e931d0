import type { RevocationLog } from '../base/model.ts'
import type { PendingEntries } from './pending-entries.ts'
import { MINUTE, type ViewSettings } from './revocation-settings.ts'
import type { RevokedKeys } from './revoked-keys.ts'

/** Keeps the view of a process up to date with the log. */
export interface LogPoller {
  /** Reads what is new in the log, once for all callers. A failure is logged, and not thrown. */
  poll(): Promise<void>
  /** The age of the view: infinite before the first poll, and negative if the clock was put back since. */
  age(time: number): number
  /** How long ago the store failed, which may be negative as well. */
  sinceFailure(time: number): number
  /** The time of the store, as far as this process can tell. */
  storeTime(time: number): number
  /** Why the last poll failed; undefined if it did not. */
  readonly error: unknown
}

/**
 * How much longer the store keeps an entry than processes do. The other way round, a new sign-in would be
 * mistaken for an old session.
 */
export const STORED_LONGER: number = 60 * MINUTE

/** Each poll begins so long before the last one, so that no late commit is missed. */
const OVERLAP = MINUTE

/** The times of the last poll: the store's, that of this process, and that of a clock that cannot be set. */
interface PollTimes {
  readonly store: number
  readonly here: number
  readonly ticks: number
}

/** Makes a {@link LogPoller}. */
export function createLogPoller(
  log: RevocationLog,
  view: RevokedKeys,
  pending: Pick<PendingEntries, 'write'>,
  { now, report }: Pick<ViewSettings, 'now' | 'report'>,
): LogPoller {
  const watchOnce = createWatcher(log, view, report)
  let polling: Promise<void> | null = null
  /** When this process asked for what it holds. */
  let readAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let error: unknown
  let last: PollTimes | null = null

  async function read(): Promise<void> {
    const here = now()
    const ticks = performance.now()
    try {
      await pending.write()
      last = { store: await readNews(log, view, last, { here, ticks }), here, ticks }
      readAt = here
      error = undefined
      void watchOnce() // no session has to wait for it
    } catch (cause) {
      // Once per outage.
      if (error === undefined) report('The ended sessions could not be read.', cause)
      error = cause ?? new Error('no reason given')
      failedAt = now()
    }
  }

  return {
    poll() {
      polling ??= read().finally(() => {
        polling = null
      })
      return polling
    },
    age: time => time - readAt,
    sinceFailure: time => time - failedAt,
    storeTime: time => (last ? last.store + (time - last.here) : time),
    get error() {
      return error
    },
  }
}

/** Adds the new entries of the log to a view, and returns the time of the store. */
async function readNews(
  log: RevocationLog,
  view: RevokedKeys,
  last: PollTimes | null,
  { here, ticks }: Omit<PollTimes, 'store'>,
): Promise<number> {
  const from = last && last.store - OVERLAP
  let news = await log.since(from === null ? null : new Date(from))
  // A store whose clock was put back gives new entries times that lie before those already read.
  const passed = last ? Math.max(here - last.here, ticks - last.ticks) : 0
  const putBack = last ? passed - (news.now.getTime() - last.store) : 0
  if (from !== null && putBack > OVERLAP / 2) news = await log.since(new Date(from - putBack))
  for (const revocation of news.revocations) view.add(revocation)
  view.forget(here + STORED_LONGER)
  return news.now.getTime()
}

/** Watches the log from the first call on. That is for speed alone: the next poll finds what it loses. */
function createWatcher(
  log: RevocationLog,
  view: RevokedKeys,
  report: ViewSettings['report'],
): () => Promise<void> {
  let isWatching = false
  return async () => {
    if (isWatching || !log.watch) return
    isWatching = true
    try {
      await log.watch(view.add, () => {})
    } catch (error) {
      report('Sessions ended elsewhere are noticed within pollSeconds, not at once.', error)
    }
  }
}
