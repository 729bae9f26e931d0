import type { Limiter, LimitRule } from '../base/stores.ts'
import { planFor } from './limit-plan.ts'

interface Attempts {
  /** How many there were in a row. */
  readonly count: number
  /** When the next one is allowed: in the past by as much as others may follow at once. */
  readonly notBefore: number
  /** When all of it can be forgotten. */
  readonly expires: number
}

/** Some 10 MB. */
const MAX_KEYS = 50_000

/**
 * Counts attempts in this process. It holds a limited number of keys; beyond them, those that were not used for
 * longest are forgotten. An attacker who wants a key to be forgotten has to try all others between two guesses.
 *
 * @example
 * ```ts
 * import { createMemoryLimiter } from '@siteauth/core/limits'
 *
 * const limiter = createMemoryLimiter()
 * const wait = await limiter.take('ann', { burst: 5, refillSeconds: 60 }, Date.now())
 * if (wait > 0) console.log(`Try again in ${Math.ceil(wait / 1000)} seconds.`)
 * ```
 */
export function createMemoryLimiter(maxKeys: number = MAX_KEYS): Limiter {
  // In the order in which they were last tried.
  const attemptsByKey = new Map<string, Attempts>()

  function store(key: string, attempts: Attempts): void {
    attemptsByKey.delete(key)
    attemptsByKey.set(key, attempts)
    if (attemptsByKey.size <= maxKeys) return
    const [oldest] = attemptsByKey.keys()
    if (oldest !== undefined) attemptsByKey.delete(oldest)
  }

  return {
    take(key, rule, now) {
      const before = attemptsByKey.get(key)
      const wait = before ? before.notBefore - now : 0
      store(key, before && wait > 0 ? before : oneMore(before, rule, now))
      return Math.max(wait, 0)
    },
    forget: key => void attemptsByKey.delete(key),
  }
}

function oneMore(before: Attempts | undefined, rule: LimitRule, now: number): Attempts {
  const count = before && before.expires > now ? before.count + 1 : 1
  const { waits, toleranceMilliseconds, forgetAfterMilliseconds } = planFor(rule)
  const wait = waits.find(({ upTo }) => count <= upTo)?.milliseconds ?? 0
  const notBefore = Math.max(before?.notBefore ?? 0, now - toleranceMilliseconds) + wait
  return { count, notBefore, expires: notBefore + toleranceMilliseconds + forgetAfterMilliseconds }
}
