import type { SubmitResult } from './submit.ts'

/** What became of the forms of a component. */
export interface LastOutcome {
  /** Whether one is under way. */
  readonly isPending: boolean
  /** What became of the last one; null before, while one is under way, and if it threw. */
  readonly outcome: SubmitResult | null
}

/** Functions that send a form each. */
export type Forms<Names extends PropertyKey> = Readonly<
  Record<Names, (...given: never[]) => Promise<SubmitResult>>
>

/** What became of forms of which none was sent yet. */
export const NOTHING_SENT: LastOutcome = { isPending: false, outcome: null }

/** The functions, watched: `tell` learns what became of the last one. */
export function watchOutcomes<Calls extends Forms<keyof Calls>>(
  calls: Calls,
  tell: (last: LastOutcome) => void,
): Calls {
  let latest = 0
  const entries = Object.entries<(...given: never[]) => Promise<SubmitResult>>(calls)
  const watching = entries.map(([name, call]) => [
    name,
    async (...given: never[]) => {
      const turn = ++latest
      tell({ isPending: true, outcome: null })
      let outcome: SubmitResult | null = null
      try {
        outcome = await call(...given)
        return outcome
      } finally {
        // One that was sent later counts, whichever is answered first.
        if (turn === latest) tell({ isPending: false, outcome })
      }
    },
  ])
  return Object.fromEntries(watching) as Calls // each takes and answers what it did
}
