import type { LimitRule } from '../base/model.ts'

/** What an attempt takes, as far as the one of this number in a row. */
export interface Wait {
  /** The last attempt in a row that takes so long. */
  readonly upTo: number
  readonly milliseconds: number
}

const DAY = 86_400_000

/**
 * A rule as a table, so that every store counts with the same numbers: the first row that an attempt falls
 * into says what it takes. The last row is for all others.
 */
export function waitsOf({ burst, every, longest, most = Infinity }: LimitRule): readonly Wait[] {
  const waits: Wait[] = [{ upTo: Math.min(burst, most - 1), milliseconds: inMs(every) }]
  if (longest !== undefined) {
    for (let at = burst + 1, wait = every * 2; wait < longest && at < most; at++, wait *= 2) {
      waits.push({ upTo: at, milliseconds: inMs(wait) })
    }
  }
  waits.push({ upTo: most - 1, milliseconds: inMs(longest ?? every) })
  return most === Infinity ? waits : [...waits, { upTo: Infinity, milliseconds: DAY }]
}

/** How long before now an attempt may be counted: that is what lets a burst through. */
export function toleranceOf({ burst, every }: LimitRule): number {
  return inMs((burst - 1) * every)
}

/** How long a key is of use after its attempts are paid for. */
export function memoryOf({ memory = 0 }: LimitRule): number {
  return inMs(memory)
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
