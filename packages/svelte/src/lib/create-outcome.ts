import {
  type Forms,
  type LastOutcome,
  NOTHING_SENT,
  watchOutcomes,
} from '@siteauth/client/integration'
import { derived, type Readable, writable } from 'svelte/store'

/** What became of the forms of a component, as stores. */
export interface Outcomes {
  /** Whether one is under way. */
  readonly isPending: Readable<LastOutcome['isPending']>
  /** What became of the last one; null before, while one is under way, and if it threw. */
  readonly outcome: Readable<LastOutcome['outcome']>
}

/** The functions, watched: the component learns what became of the last one. */
export function createOutcome<Calls extends Forms<keyof Calls>>(calls: Calls): Calls & Outcomes {
  const last = writable(NOTHING_SENT)
  return {
    ...watchOutcomes(calls, last.set),
    isPending: derived(last, ({ isPending }) => isPending),
    outcome: derived(last, ({ outcome }) => outcome),
  }
}
