import type { Observed } from './observe.ts'

/** Whether a request showed something of Ann's, changed it, or signed her in. */
export function doesSomething({ data, effects, isGivenSession }: Observed): boolean {
  return data.length > 0 || effects.length > 0 || isGivenSession
}
