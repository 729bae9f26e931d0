import type { LimitRule } from '../base/model.ts'

/** A rule as a limiter counts by it: all times in milliseconds. */
export interface LimitPlan {
  /** What an attempt takes: the first row that has it, by its number in a row. The last row has all others. */
  readonly waits: readonly { readonly upTo: number; readonly milliseconds: number }[]
  /** How long before now an attempt may be counted: that is what lets a burst through. */
  readonly tolerance: number
  /** How long a key is of use after its attempts are paid for. */
  readonly memory: number
}

const DAY = 86_400_000

/**
 * Makes a table of a rule, so that all limiters count with the same numbers. For authors of limiters.
 *
 * @example
 * ```ts
 * import { planFor } from '@siteauth/core/limits'
 *
 * const { waits, tolerance } = planFor({ burst: 5, every: 60 })
 * // The first attempt is counted as one of four minutes ago; the sixth is allowed in a minute.
 * const firstNotBefore = Date.now() - tolerance + (waits[0]?.milliseconds ?? 0)
 * console.log(firstNotBefore)
 * ```
 */
export function planFor(rule: LimitRule): LimitPlan {
  const plan = plans.get(rule) ?? makePlan(rule)
  plans.set(rule, plan)
  return plan
}

// There are few rules, and each is asked for at every attempt.
const plans = new WeakMap<LimitRule, LimitPlan>()

function makePlan(rule: LimitRule): LimitPlan {
  const { burst, every, memory = 0 } = rule
  return { waits: waitsOf(rule), tolerance: inMs((burst - 1) * every), memory: inMs(memory) }
}

function waitsOf({ burst, every, longest, most = Infinity }: LimitRule): LimitPlan['waits'] {
  const waits = [{ upTo: Math.min(burst, most - 1), milliseconds: inMs(every) }]
  if (longest !== undefined) {
    for (let at = burst + 1, wait = every * 2; wait < longest && at < most; at++, wait *= 2) {
      waits.push({ upTo: at, milliseconds: inMs(wait) })
    }
  }
  waits.push({ upTo: most - 1, milliseconds: inMs(longest ?? every) })
  return most === Infinity ? waits : [...waits, { upTo: Infinity, milliseconds: DAY }]
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
