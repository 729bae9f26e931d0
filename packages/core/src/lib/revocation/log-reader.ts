import type { RevocationLog } from '../base/stores.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import { addAll, createLogLoader, type LogLoader, type PollTime } from './log-loader.ts'
import type { PendingEntries } from './pending-entries.ts'
import { PollClock, type RunningPoll } from './poll-clock.ts'
import { HOUR, MINUTE, type ViewSettings } from './revocation-settings.ts'

/** Keeps the view of a process up to date with the log, for all configurations that share it. */
export interface LogReader {
  /** The times of polls by such a clock. */
  clockOf(now: () => number): PollClock
  /**
   * Reads what is new in the log, once for all callers. A failure is not thrown: it is the `error`.
   *
   * @param clock the clock that must know of this poll
   * @param report what logs that the log cannot be watched, if this poll finds out
   */
  poll(clock?: PollClock, report?: ViewSettings['report']): Promise<void>
  /** Reads the time of the store, and nothing else. Throws if it does not respond. */
  readTime(clock: PollClock): Promise<void>
  /** Why the last poll failed; undefined if it did not. */
  readonly error: unknown
  /** How often the store began to fail. */
  readonly outages: number
}

/**
 * How much longer the store keeps an entry than processes do. The other way round, a new sign-in would be
 * mistaken for an old session.
 */
export const STORED_LONGER: number = HOUR

/** Each poll begins so long before the last one, so that no late commit is missed. */
const OVERLAP = MINUTE

/** Since then, nothing has changed in any log. */
const TO_COME = new Date(Date.UTC(9999, 0))

/** Applications have one clock; only tests have more. The limit is for those that make one per request. */
const MAX_CLOCKS = 100

/** Makes a {@link LogReader}. */
export function createLogReader(
  log: RevocationLog,
  view: RevokedKeys,
  pending: Pick<PendingEntries, 'write'>,
): LogReader {
  const watchOnce = createWatcher(log, view)
  const clocks = new Map<() => number, PollClock>()
  let polling: Promise<void> | null = null
  let error: unknown
  let outages = 0
  const load = log.page && createLogLoader(log.page, view)
  /** Null until all of the log was read. */
  let last: PollTime | null = null

  async function read(report: ViewSettings['report']): Promise<void> {
    const ticks = performance.now()
    const runs = [...clocks.values()].map(clock => clock.begin())
    try {
      const [store] = await Promise.all([
        load && !last ? loadNext(load, report) : readLatest(runs, ticks),
        pending.write(),
      ])
      for (const run of runs) run.succeed(store)
      error = undefined
      void watchOnce(report) // no session has to wait for it
    } catch (cause) {
      if (error === undefined) outages++
      error = cause ?? new Error('no reason given')
      for (const run of runs) run.fail()
    }
  }

  /** Reads what is new since the last poll. Returns the time of the store. */
  async function readLatest(runs: readonly RunningPoll[], ticks: number): Promise<number> {
    // How much time has passed by the clock that advanced the most. If it is wrong, more is read than needed.
    const passed = Math.max(last ? ticks - last.ticks : 0, ...runs.map(run => run.passed))
    const store = await readNews(log, view, last, passed)
    last = { store, ticks }
    view.complete()
    return store
  }

  /** Reads the next page of the log, and the others afterwards: no request waits for them. Returns the time of the store. */
  async function loadNext(load: LogLoader, report: ViewSettings['report']): Promise<number> {
    const { begun, store, isLast, isOnly } = await load()
    if (isLast) last = begun
    if (isOnly) view.complete()
    else {
      const timer: unknown = setTimeout(() => void poll(undefined, report))
      if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
    }
    return store
  }

  function register(clock: PollClock): void {
    const [oldest] = clocks.size >= MAX_CLOCKS ? clocks.keys() : []
    if (oldest) clocks.delete(oldest)
    clocks.set(clock.now, clock)
  }

  function clockOf(now: () => number): PollClock {
    const existing = clocks.get(now)
    if (existing) return existing
    const clock = new PollClock(now)
    register(clock)
    return clock
  }

  function poll(clock?: PollClock, report: ViewSettings['report'] = () => {}): Promise<void> {
    if (clock && clocks.get(clock.now) !== clock) {
      register(clock)
      // A poll that runs already does not know when it began by this clock.
      if (polling) return polling.then(() => poll(clock, report))
    }
    polling ??= read(report).finally(() => {
      polling = null
    })
    return polling
  }

  async function readTime(clock: PollClock): Promise<void> {
    const here = clock.now()
    const { now } = await log.since(TO_COME)
    clock.set(now.getTime(), here)
  }

  return {
    clockOf,
    poll,
    readTime,
    get error() {
      return error
    },
    get outages() {
      return outages
    },
  }
}

/** Adds the new entries of the log to a view, and returns the time of the store. */
async function readNews(
  log: RevocationLog,
  view: RevokedKeys,
  last: PollTime | null,
  passed: number,
): Promise<number> {
  const from = last && last.store - OVERLAP
  let news = await log.since(from === null ? null : new Date(from))
  // A store whose clock was put back gives new entries times that lie before those already read.
  const putBack = last ? passed - (news.now.getTime() - last.store) : 0
  if (from !== null && putBack > OVERLAP / 2) news = await log.since(new Date(from - putBack))
  await addAll(view, news.revocations)
  view.forget(news.now.getTime() + STORED_LONGER)
  return news.now.getTime()
}

/** Watches the log from the first call on. That is for speed alone: the next poll finds what it loses. */
function createWatcher(
  log: RevocationLog,
  view: RevokedKeys,
): (report: ViewSettings['report']) => Promise<void> {
  let isWatching = false
  return async report => {
    if (isWatching || !log.watch) return
    isWatching = true
    try {
      await log.watch(view.add, () => {})
    } catch (error) {
      report('Sessions ended elsewhere are noticed within pollSeconds, not at once.', error)
    }
  }
}
