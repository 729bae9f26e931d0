import { MINUTE } from './revocation-settings.ts'

const RESET_AFTER = 10 * MINUTE

/** When the log was polled, by the clock of one configuration. */
export class PollClock {
  readonly now: () => number
  #readAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY
  /** How far the store's clock was ahead of this one when it last told its time. */
  #storeAhead = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.now = now
  }

  /** The age of the view: infinite before the first poll, and negative if the clock was put back since. */
  age(time: number): number {
    return time - this.#readAt
  }

  /** How long ago the store failed, which may be negative as well. */
  sinceFailure(time: number): number {
    return time - this.#failedAt
  }

  /** The time of the store, as far as this process can tell. */
  storeTime(time: number): number {
    return time + this.#storeAhead
  }

  /** Whether the store has told its time so lately that the clocks can hardly have moved apart. */
  isSet(time: number): boolean {
    return Math.abs(time - this.#measuredAt) < RESET_AFTER
  }

  /** @param here the time by this clock when the store was asked for its own */
  set(store: number, here: number): void {
    this.#storeAhead = store - here
    this.#measuredAt = here
  }

  /** The view is no longer as new as it was. */
  lose(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** Begins a poll. Its result is as old as this when it arrives. */
  begin(): RunningPoll {
    const here = this.now()
    return {
      passed: Number.isFinite(this.#readAt) ? here - this.#readAt : 0,
      succeed: store => {
        this.#readAt = here
        this.set(store, here)
      },
      fail: () => {
        this.#failedAt = this.now()
      },
    }
  }
}

/** Applications have one clock; only tests have more. The limit is for those that make one per request. */
const MAX_CLOCKS = 100

/** The clocks of all configurations that share a log. */
export class PollClocks {
  readonly #clocks = new Map<() => number, PollClock>()

  of(now: () => number): PollClock {
    const existing = this.#clocks.get(now)
    if (existing) return existing
    const clock = new PollClock(now)
    this.add(clock)
    return clock
  }

  has(clock: PollClock): boolean {
    return this.#clocks.get(clock.now) === clock
  }

  add(clock: PollClock): void {
    const [oldest] = this.#clocks.size >= MAX_CLOCKS ? this.#clocks.keys() : []
    if (oldest) this.#clocks.delete(oldest)
    this.#clocks.set(clock.now, clock)
  }

  /** Begins a poll that is measured by every clock. */
  begin(): RunningPoll {
    const runs = [...this.#clocks.values()].map(clock => clock.begin())
    return {
      // If the clock that advanced the most is wrong, more is read than needed.
      passed: runs.reduce((most, { passed }) => Math.max(most, passed), 0),
      succeed: store => {
        for (const run of runs) run.succeed(store)
      },
      fail: () => {
        for (const run of runs) run.fail()
      },
    }
  }

  lose(): void {
    for (const clock of this.#clocks.values()) clock.lose()
  }
}

/** A poll that has begun. */
export interface RunningPoll {
  /** How much time has passed since the last successful poll began. */
  readonly passed: number
  /** @param store the time of the store */
  succeed(store: number): void
  fail(): void
}
