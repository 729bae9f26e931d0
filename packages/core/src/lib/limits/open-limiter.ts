import type { Limiter } from '../base/stores.ts'

/** Opens what counts attempts. */
export type OpenLimiter = () => Promise<Limiter>

/** Opens a limiter in memory when it is first needed, and the same one from then on. */
export function limiterInMemory(): OpenLimiter {
  let opening: Promise<Limiter> | undefined
  return () => {
    opening ??= import('./memory-limiter.ts').then(({ createMemoryLimiter }) =>
      createMemoryLimiter(),
    )
    return opening
  }
}
