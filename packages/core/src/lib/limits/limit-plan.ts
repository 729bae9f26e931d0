import type { LimitRule } from '../base/stores.ts'

/** A rule as a limiter counts by it: all times in milliseconds. */
export interface LimitPlan {
  /** The cost of an attempt: the first row that has it, by its number in a row. The last row has all others. */
  readonly waits: readonly { readonly upTo: number; readonly milliseconds: number }[]
  /** How long before now an attempt may be counted: that is what lets a burst through. */
  readonly toleranceMilliseconds: number
  /** How long a key is of use after its attempts are paid for. */
  readonly forgetAfterMilliseconds: number
}

const DAY_SECONDS = 86_400

/**
 * Makes a table of a rule, so that all limiters count with the same numbers. For authors of limiters.
 *
 * @example
 * ```ts
 * import { planFor } from '@siteauth/core/limits'
 *
 * const { waits, toleranceMilliseconds } = planFor({ burst: 5, refillSeconds: 60 })
 * // The first attempt is counted as one of four minutes ago; the sixth is allowed in a minute.
 * const firstNotBefore = Date.now() - toleranceMilliseconds + (waits[0]?.milliseconds ?? 0)
 * console.log(firstNotBefore)
 * ```
 */
export function planFor(rule: LimitRule): LimitPlan {
  const plan = plans.get(rule) ?? makePlan(rule)
  plans.set(rule, plan)
  return plan
}

// There are few rules, and each is asked for at every attempt. A plan depends on nothing but its rule, so all configurations
// may share it.
const plans = new WeakMap<LimitRule, LimitPlan>()

function makePlan(rule: LimitRule): LimitPlan {
  const { burst, refillSeconds, forgetAfterSeconds = 0 } = rule
  return {
    waits: waitsOf(rule),
    toleranceMilliseconds: inMs((burst - 1) * refillSeconds),
    forgetAfterMilliseconds: inMs(forgetAfterSeconds),
  }
}

function waitsOf({
  burst,
  refillSeconds,
  maxDelaySeconds = refillSeconds,
  maxFailures = Infinity,
}: LimitRule): LimitPlan['waits'] {
  const waits = [waitOf(Math.min(burst, maxFailures - 1), refillSeconds)]
  for (
    let at = burst + 1, wait = refillSeconds * 2;
    wait < maxDelaySeconds && at < maxFailures;
    at++, wait *= 2
  ) {
    waits.push(waitOf(at, wait))
  }
  waits.push(waitOf(maxFailures - 1, maxDelaySeconds))
  return maxFailures === Infinity ? waits : [...waits, waitOf(Infinity, DAY_SECONDS)]
}

function waitOf(upTo: number, seconds: number): LimitPlan['waits'][number] {
  return { upTo, milliseconds: inMs(seconds) }
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
