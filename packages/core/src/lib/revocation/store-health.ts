import type { Awaitable } from '../base/awaitable.ts'
import type { RevocationLog } from '../base/stores.ts'
import { withTimeout } from '../base/with-timeout.ts'
import { wrapStore } from '../base/wrap-store.ts'
import { SECOND } from './revocation-settings.ts'

/** Whether the store of a log responds, as its calls show. */
export interface StoreHealth {
  /** Calls the store. A call that takes too long is abandoned, with an error. */
  call<Result>(act: () => Awaitable<Result>): Promise<Result>
  /**
   * Calls the store for a caller that can do without. Throws if the store keeps the caller waiting, and at once if
   * the store is known to do so.
   */
  callBriefly<Result>(act: () => Promise<Result>): Promise<Result>
  /** Waits for something that calls the store, for a caller that can do without. */
  waitBriefly(started: Promise<unknown>): Promise<void>
}

/** How long a call may take, in milliseconds: as long as our adapters wait, unless they are configured otherwise. */
const TIMEOUT = 10 * SECOND
/** How long a caller that can do without the store waits for it, in milliseconds. */
const BRIEF_TIMEOUT = SECOND / 2

/** Makes the {@link StoreHealth} of a store. */
export function createStoreHealth(): StoreHealth {
  /** Whether a call failed, or is overdue, and none was answered since. */
  let isFailing = false
  let isProbing = false

  async function call<Result>(act: () => Awaitable<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      isFailing = true
    }, BRIEF_TIMEOUT)
    try {
      const result = await withTimeout(TIMEOUT, act)
      isFailing = false
      return result
    } catch (error) {
      isFailing = true
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async function probe(act: () => Promise<unknown>): Promise<void> {
    isProbing = true
    await act().catch(() => {})
    isProbing = false
  }

  return {
    call,
    async callBriefly(act) {
      if (!isFailing) return withTimeout(BRIEF_TIMEOUT, act)
      // One at a time finds out whether the store is back. Calls that hang must not pile up.
      if (!isProbing) void probe(act)
      throw new Error('The store does not respond.')
    },
    async waitBriefly(started) {
      if (isFailing) return
      await withTimeout(BRIEF_TIMEOUT, () => started).catch(() => {})
    },
  }
}

/** A log whose calls are abandoned if they take too long. */
export function limitCalls(log: RevocationLog, { call }: Pick<StoreHealth, 'call'>): RevocationLog {
  return wrapStore<RevocationLog, never>(log, {
    end: () => entries => call(() => log.end(entries)),
    find: () => keys => call(() => log.find(keys)),
    since: () => (time, cursor) => call(() => log.since(time, cursor)),
    restore: restore => entries => call(() => restore.call(log, entries)),
    page: page => cursor => call(() => page.call(log, cursor)),
    watch: watch => watch.bind(log),
  })
}
