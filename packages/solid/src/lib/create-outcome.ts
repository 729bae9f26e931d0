import {
  type Forms,
  type LastOutcome,
  NOTHING_SENT,
  watchOutcomes,
} from '@siteauth/client/integration'
import { type Accessor, createSignal } from 'solid-js'

/** What became of the forms of a component. */
export interface Outcomes {
  /** Whether one is under way. */
  readonly isPending: Accessor<LastOutcome['isPending']>
  /** What became of the last one; null before, while one is under way, and if it threw. */
  readonly outcome: Accessor<LastOutcome['outcome']>
}

/** The functions, watched: the component learns what became of the last one. */
export function createOutcome<Calls extends Forms<keyof Calls>>(calls: Calls): Calls & Outcomes {
  const [last, setLast] = createSignal(NOTHING_SENT)
  const watched = watchOutcomes(calls, setLast)
  return { ...watched, isPending: () => last().isPending, outcome: () => last().outcome }
}
