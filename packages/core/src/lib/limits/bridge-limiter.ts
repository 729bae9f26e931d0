import type { Limiter, LimitRule } from '../base/stores.ts'

/** The part of a limiter of `rate-limiter-flexible` that is needed, for any store. */
export interface FlexibleLimiter {
  consume(key: string): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/**
 * Counts attempts with limiters of `rate-limiter-flexible`, for stores that an adapter does not have. They
 * know fixed windows and no delays that grow.
 *
 * @param create makes the limiter for a rule, which allows so many `points` per `duration` in seconds. Asked
 * once for each rule.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from '@siteauth/core'
 * import { bridgeLimiter, type FlexibleLimiter } from '@siteauth/core/limits'
 *
 * // import { RateLimiterMemcache } from 'rate-limiter-flexible'
 * declare const RateLimiterMemcache: new (options: object) => FlexibleLimiter
 *
 * export const limits: AuthConfig['limits'] = {
 *   limiter: bridgeLimiter(window => new RateLimiterMemcache({ storeClient: 'yours', ...window })),
 * }
 * ```
 */
export function bridgeLimiter(
  create: (window: { readonly points: number; readonly duration: number }) => FlexibleLimiter,
): Limiter {
  const limiters = new Map<string, FlexibleLimiter>()

  function limiterFor({ burst, refillSeconds }: LimitRule): FlexibleLimiter {
    const window = { points: burst, duration: Math.ceil(burst * refillSeconds) }
    const name = `${window.points}/${window.duration}`
    const limiter = limiters.get(name) ?? create(window)
    limiters.set(name, limiter)
    return limiter
  }

  return {
    async take(key, rule) {
      try {
        await limiterFor(rule).consume(key)
        return 0
      } catch (rejection) {
        // An `Error` is about the store. A rejection is not one, and contains the time to wait.
        const { msBeforeNext } = Object(rejection) as { msBeforeNext?: unknown }
        if (rejection instanceof Error || typeof msBeforeNext !== 'number') throw rejection
        return Math.max(msBeforeNext, 1)
      }
    },
    // A key is always used with one rule, and which that was only the limiters know.
    forget: key => Promise.all([...limiters.values()].map(limiter => limiter.delete(key))),
  }
}
