import type { Limiter } from '@siteauth/core/adapters'
import { planFor } from '@siteauth/core/limits'
import type { RedisTables } from './open-tables.ts'
import { SCRIPTS } from './scripts.ts'

/** Attempts, each key in a slot of its own; the server removes them itself. */
export function redisLimiter({ send, runScript, keys }: RedisTables): Limiter {
  return {
    async take(key, rule, now) {
      const { waits, toleranceMilliseconds, forgetAfterMilliseconds } = planFor(rule)
      const steps = waits.flatMap(({ upTo, milliseconds }) => [
        upTo === Number.POSITIVE_INFINITY ? 'inf' : upTo,
        milliseconds,
      ])
      const args = [now, toleranceMilliseconds, forgetAfterMilliseconds, ...steps]
      return Number(await runScript(SCRIPTS.takeAttempt, [keys.limit(key)], args))
    },
    forget: key => send('del', keys.limit(key)),
  }
}
