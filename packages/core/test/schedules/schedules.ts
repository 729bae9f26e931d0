import fc from 'fast-check'
import { flowsIn, STATES } from './flows.ts'
import { type Cast, play, type Story } from './scene.ts'
import { byNumbers, byParts, type Choose, type Part, type Turn } from './turns.ts'

// Schedules at random, each with the flows that have turns in it.

export interface Schedule extends Cast {
  /** Which flow goes on at each call, or how many calls each has before the next. */
  readonly order:
    | { readonly numbers: readonly number[] }
    | { readonly parts: readonly (readonly [flow: number, turns: number])[] }
}

/** Any schedule of so many flows. */
function anySchedule(size: 2 | 3): fc.Arbitrary<Schedule> {
  const flow = fc.nat({ max: size - 1 })
  const order = fc.oneof(
    fc.record({ numbers: fc.array(flow, { maxLength: 120, size: 'max' }) }),
    // What goes wrong often takes a certain call, and another flow that runs for long.
    fc.record({
      parts: fc.array(fc.tuple(flow, fc.nat({ max: 40 })), { maxLength: 8, size: 'max' }),
    }),
  )
  return fc.constantFrom(...STATES).chain(state => {
    const name = fc.constantFrom(...flowsIn(state))
    return fc.record({
      state: fc.constant(state),
      strategy: fc.constantFrom('database' as const, 'jwt' as const),
      flows: fc.array(name, { minLength: size, maxLength: size }),
      order,
    })
  })
}

/** As many schedules as that, half of them of two flows, and half of three. */
export function sampleSchedules(count: number, seed: number): readonly Schedule[] {
  return ([2, 3] as const).flatMap(size =>
    fc.sample(anySchedule(size), { seed, numRuns: count / 2 }),
  )
}

export function chooserOf({ order }: Schedule): Choose {
  return 'numbers' in order ? byNumbers(order.numbers) : byParts(order.parts as readonly Part[])
}

/** No schedule of so many flows makes anything wrong. */
export function anyScheduleHolds(size: 2 | 3): fc.IAsyncPropertyWithHooks<[Schedule]> {
  return fc.asyncProperty(anySchedule(size), async schedule => {
    const story = await play(schedule, chooserOf(schedule), undefined, true)
    if (story.faults.length > 0) throw new Error(inWords(schedule, story).join('\n'))
  })
}

/** What is wrong, with how to see it again. */
export function inWords(cast: Cast, { turns, faults }: Story): string[] {
  return faults.map(fault => `${fault}\n${inShort(cast, turns)}`)
}

/** A schedule: the flows, and the calls that each of them made in one go. */
export function inShort({ state, strategy, flows }: Cast, turns: readonly Turn[]): string {
  const lines: string[] = []
  for (const [at, { flow, call }] of turns.entries()) {
    if (turns[at - 1]?.flow === flow) lines.push(`${lines.pop()} ${call}`)
    else lines.push(`  ${flow}: ${call}`)
  }
  return [`  ${state}, ${strategy}, ${flows.join(' | ')}`, ...lines].join('\n')
}
