import {
  type Forms,
  type LastOutcome,
  NOTHING_SENT,
  watchOutcomes,
} from '@siteauth/client/integration'
import { type ComputedRef, computed, shallowRef } from 'vue'

/** What became of the forms of a component, as refs. */
export interface OutcomeRefs {
  /** Whether one is under way. */
  readonly isPending: ComputedRef<LastOutcome['isPending']>
  /** What became of the last one; null before, while one is under way, and if it threw. */
  readonly outcome: ComputedRef<LastOutcome['outcome']>
}

/** The functions, watched: the component learns what became of the last one. */
export function useOutcome<Calls extends Forms<keyof Calls>>(calls: Calls): Calls & OutcomeRefs {
  const last = shallowRef(NOTHING_SENT)
  const watched = watchOutcomes(calls, outcome => {
    last.value = outcome
  })
  return {
    ...watched,
    isPending: computed(() => last.value.isPending),
    outcome: computed(() => last.value.outcome),
  }
}
