import type { RevocationLog, RevocationPage } from '../base/stores.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import { addAll, createLogLoader, type LogLoader, type PollTime, readSince } from './log-loader.ts'
import { createSubscription, type LogSubscription } from './log-subscription.ts'
import { createLostEntries, EntriesLost, TO_COME } from './lost-entries.ts'
import type { PendingEntries } from './pending-entries.ts'
import { type PollClock, PollClocks, type RunningPoll } from './poll-clock.ts'
import { HOUR, MINUTE, SECOND, type ViewSettings } from './revocation-settings.ts'

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

/**
 * Each poll begins so long before the last one, so that no late commit is missed. One that arrives as a message is not missed, so
 * a poll begins at the last one if messages have arrived all the while.
 */
const OVERLAP = MINUTE

/** Makes a {@link LogReader}. */
export function createLogReader(
  log: RevocationLog,
  view: RevokedKeys,
  pending: Pick<PendingEntries, 'write'>,
): LogReader {
  const subscription = createSubscription(log, view)
  const lost = createLostEntries(log, view)
  const clocks = new PollClocks()
  let polling: Promise<void> | null = null
  let error: unknown
  let outages = 0
  const load = log.page && createLogLoader(log.page, view)
  /** Null until all of the log was read. */
  let last: PollTime | null = null

  async function read(report: ViewSettings['report']): Promise<void> {
    const ticks = performance.now()
    const run = clocks.begin()
    try {
      lost.assertRestored()
      const [store] = await Promise.all([
        load && !last ? loadNext(load, report) : readLatest(run, ticks),
        pending.write(),
      ])
      run.succeed(store)
      error = undefined
      void subscription.watch(report) // no session has to wait for it
    } catch (cause) {
      if (error === undefined) outages++
      error = cause ?? new Error('no reason given')
      run.fail()
      if (cause instanceof EntriesLost) clocks.lose()
    }
  }

  /** Reads what is new since the last poll. Returns the time of the store. */
  async function readLatest(run: RunningPoll, ticks: number): Promise<number> {
    const passed = Math.max(last ? ticks - last.ticks : 0, run.passed)
    const { store, epoch } = await readNews(log, view, subscription, last, passed)
    last = { store, ticks }
    view.complete()
    lost.check(epoch)
    return store
  }

  /** Reads the next page of the log, and the others afterwards: no request waits for them. Returns the time of the store. */
  async function loadNext(load: LogLoader, report: ViewSettings['report']): Promise<number> {
    const { begun, store, isLast, isOnly, epoch } = await load()
    if (isLast) last = begun
    if (isOnly) view.complete()
    else startLater(() => void poll(undefined, report))
    lost.check(epoch)
    return store
  }

  function poll(clock?: PollClock, report: ViewSettings['report'] = () => {}): Promise<void> {
    if (clock && !clocks.has(clock)) {
      clocks.add(clock)
      // A poll that runs already does not know when it began by this clock.
      if (polling) return polling.then(() => poll(clock, report))
    }
    polling ??= read(report).finally(() => {
      polling = null
    })
    return polling
  }

  return {
    clockOf: now => clocks.of(now),
    poll,
    readTime: clock => readTime(log, clock),
    get error() {
      return error
    },
    get outages() {
      return outages
    },
  }
}

async function readTime(log: RevocationLog, clock: PollClock): Promise<void> {
  const here = clock.now()
  const { now } = await log.since(TO_COME)
  clock.set(now.getTime(), here)
}

/** Starts something in a turn of its own. The timer keeps no process alive. */
function startLater(act: () => void): void {
  const timer: unknown = setTimeout(act)
  if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
}

/** So much the clocks of the store and of this process may seem to move apart though neither was set. */
const JITTER = SECOND

/** Adds the new entries of the log to a view, and returns the time of the store. */
async function readNews(
  log: RevocationLog,
  view: RevokedKeys,
  subscription: LogSubscription,
  last: PollTime | null,
  passed: number,
): Promise<{ readonly store: number; readonly epoch: RevocationPage['epoch'] }> {
  const endPoll = subscription.beginPoll()
  const early = last && last.store - OVERLAP
  const isUnbroken = early !== null && subscription.isUnbrokenSince(early)
  const from = isUnbroken ? last?.store : early
  const read = (time: number | null | undefined) =>
    readSince(log, time == null ? null : new Date(time), entries => addAll(view, entries))
  const { now, epoch, count } = await read(from)
  const store = now.getTime()
  // A store whose clock was put back gives new entries times that lie before those already read.
  const putBack = last ? passed - (store - last.store) : 0
  if (early !== null && putBack > (isUnbroken ? JITTER : OVERLAP / 2)) await read(early - putBack)
  endPoll(store, isUnbroken ? count : null)
  await view.forget(store + STORED_LONGER)
  return { store, epoch }
}
