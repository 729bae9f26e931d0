import { type FlowName, flowsIn, type State } from './flows.ts'
import { type Cast, play } from './scene.ts'
import { inWords } from './schedules.ts'
import { byParts, type Part } from './turns.ts'

export const STRATEGIES = ['database', 'jwt'] as const

/** More calls of the store than any flow makes. */
const MANY = 80

/** Every two flows of a state. */
export function pairsIn(state: State): readonly (readonly [FlowName, FlowName])[] {
  const names = flowsIn(state)
  return names.flatMap(one => names.map(other => [one, other] as const))
}

/**
 * Runs two flows, the first of which is stopped before each of its calls in turn while the second runs to its end.
 *
 * @returns how many schedules there were, and what is wrong
 */
export async function everyStop(
  cast: Omit<Cast, 'flows'> & { readonly flows: readonly [FlowName, FlowName] },
): Promise<{ readonly schedules: number; readonly faults: readonly string[] }> {
  const faults: string[] = []
  for (let stop = 0; stop < MANY; stop++) {
    const parts: readonly Part[] = [[0, stop], [1], [0]]
    const story = await play(cast, byParts(parts), undefined, true)
    faults.push(...inWords(cast, story))
    // The first was over before it was stopped.
    if (story.turns.filter(({ flow }) => flow === 0).length <= stop)
      return { schedules: stop, faults }
  }
  throw new Error(`${cast.flows[0]} makes more than ${MANY} calls of the store`)
}
