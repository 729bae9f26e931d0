import { AdapterError } from '../base/errors.ts'
import type { Limiter } from '../base/stores.ts'
import { withTimeout } from '../base/with-timeout.ts'
import { createMemoryLimiter } from './memory-limiter.ts'

/** How long the store may take, in milliseconds. */
const TIMEOUT = 10_000
/** How long a store that failed is left alone, in milliseconds. */
const REST = 5000

/**
 * Counts in a store for as long as it responds, otherwise in this process: a store that is down neither permits
 * unlimited guessing nor locks everyone out.
 */
export function lastingLimiter(store: Limiter, report: (failure: Error) => void): Limiter {
  const memory = createMemoryLimiter()
  let restsUntil = Number.NEGATIVE_INFINITY

  return {
    async take(key, rule, now) {
      if (now >= restsUntil) {
        try {
          return await withTimeout(TIMEOUT, () => store.take(key, rule, now))
        } catch (error) {
          restsUntil = now + REST
          report(
            new AdapterError(
              'Attempts could not be counted in the store. This process counts them by itself.',
              { cause: error },
            ),
          )
        }
      }
      return memory.take(key, rule, now)
    },
    async forget(key) {
      await memory.forget(key)
      try {
        await withTimeout(TIMEOUT, () => store.forget(key))
      } catch (error) {
        // The rest is forgotten in time.
        report(new AdapterError('Attempts could not be forgotten.', { cause: error }))
      }
    },
  }
}
