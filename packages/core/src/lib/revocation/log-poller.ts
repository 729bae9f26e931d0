import type { LogReader } from './log-reader.ts'
import type { PollClock } from './poll-clock.ts'
import type { ViewSettings } from './revocation-settings.ts'

/** Polls the log for one configuration, by its clock. */
export interface LogPoller {
  /** The times of polls by the clock of the configuration. */
  readonly clock: PollClock
  /** Reads what is new in the log, once for all callers. A failure is logged, and not thrown. */
  poll(): Promise<void>
  /** Logs that the store fails, once per outage, whichever configuration has found out. */
  reportOutage(): void
  /** The age of the view: infinite before the first poll, and negative if the clock was put back since. */
  age(time: number): number
  /** How long ago the store failed, which may be negative as well. */
  sinceFailure(time: number): number
  /** The time of the store, as far as this process can tell. */
  storeTime(time: number): number
  /** The time of the store now, which is asked if it has not told it for long. Throws if it does not respond. */
  readStoreTime(): Promise<number>
  /** Why the last poll failed; undefined if it did not. */
  readonly error: unknown
}

/** Makes a {@link LogPoller}. */
export function createLogPoller(
  reader: LogReader,
  { now, report }: Pick<ViewSettings, 'now' | 'report'>,
): LogPoller {
  const clock = reader.clockOf(now)
  let reported = 0

  function reportOutage(): void {
    if (reader.error === undefined || reported === reader.outages) return
    reported = reader.outages
    report('The ended sessions could not be read.', reader.error)
  }

  return {
    clock,
    async poll() {
      await reader.poll(clock, report)
      reportOutage()
    },
    reportOutage,
    age: time => clock.age(time),
    sinceFailure: time => clock.sinceFailure(time),
    storeTime: time => clock.storeTime(time),
    async readStoreTime() {
      if (!clock.isSet(now())) await reader.readTime(clock)
      return clock.storeTime(now())
    },
    get error() {
      return reader.error
    },
  }
}
