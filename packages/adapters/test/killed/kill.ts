import { createWorld, type Setting, type World } from '../../../core/test/accounts/world.ts'
import type { Clock, Flow } from './flows.ts'
import { attachedTo, intrude } from './people.ts'
import type { MortalAdapter, OpenPlace } from './stores.ts'

export type Strategy = Setting['strategy']

/** What came of a flow whose process was killed. */
export interface Outcome {
  readonly isKilled: boolean
  /** How Mallory is in Ann’s user, or would get in. */
  readonly intrusions: readonly string[]
  readonly isLockedOut: boolean
}

/** For how long a token that was replaced is accepted, and more. */
const LATER = 60_000

/** A process that is about to run a flow. */
export interface Ready {
  readonly world: World
  readonly clock: Clock
  readonly mortal: MortalAdapter
  readonly request: () => Promise<unknown>
}

/** @param die see `OpenPlace` */
export async function makeReady(
  place: OpenPlace,
  flow: Flow,
  strategy: Strategy,
  die?: () => unknown,
): Promise<Ready> {
  const clock = { now: Date.now() }
  const { adapter } = place
  const world = await createWorld(
    { strategy, methods: 'ours', email: !flow.withoutLinks, track: true },
    () => clock.now,
    { used: adapter, whole: adapter },
  )
  const request = await flow.prepare(world, clock)
  const mortal = await place.connect(die)
  world.restart(mortal.adapter)
  // What a process does once, it has done.
  await world.newBrowser().csrfToken()
  return { world, clock, mortal, request }
}

/**
 * Kills the process that runs a flow after so many statements. Then Mallory and Ann each try to get in. `isKilled` is false if
 * the flow has fewer statements. Unless it is thorough, Mallory does not come before Ann, and of what is attached to her user it is
 * only read that it is.
 */
export async function kill(
  place: OpenPlace,
  flow: Flow,
  strategy: Strategy,
  { statements, isThorough = true }: { statements: number; isThorough?: boolean },
): Promise<Outcome> {
  await place.empty()
  const ready = await makeReady(place, flow, strategy)
  const { world, clock } = ready
  const isKilled = await runUntilKilled(ready, statements)
  world.restart(place.adapter)
  await place.endLeases()
  if (isThorough && !flow.waits) await intrude(world)
  const userId = await getIn(world, flow, clock)
  clock.now += LATER
  return {
    isKilled,
    isLockedOut: userId === null,
    intrusions: userId === null ? [] : await intrusionsTo(world, userId, isThorough),
  }
}

/** Runs a flow, whose process is killed after so many statements. Returns whether it was. */
export async function runUntilKilled({ mortal, request }: Ready, statements: number) {
  mortal.life.dieAfter(statements)
  const done = request().then(() => 'done')
  const isKilled = (await Promise.race([mortal.life.died, done])) === 'died'
  if (!isKilled) await mortal.close()
  return isKilled
}

/** The numbers of the statements of a flow after which the store has something else than before them, and 0. */
export async function findChanges(
  place: OpenPlace,
  flow: Flow,
  strategy: Strategy,
): Promise<number[]> {
  await place.empty()
  const { mortal, request } = await makeReady(place, flow, strategy)
  const changes = [0]
  let statements = 0
  let before = (await place.dump()).join('\n')
  mortal.life.look = async () => {
    const number = ++statements
    const now = (await place.dump()).join('\n')
    if (now !== before) changes.push(number)
    before = now
  }
  await request()
  await mortal.close()
  return changes
}

/** The owner tries again, and once more. */
async function getIn(world: World, { attempts }: Flow, clock: Clock) {
  const [first, second = first] = attempts
  return (await first?.(world, clock)) ?? (await second?.(world, clock)) ?? null
}

async function intrusionsTo(world: World, userId: string, isThorough: boolean): Promise<string[]> {
  const found = await intrude(world, isThorough)
  const ways = found.get(userId) ?? []
  return [...ways, ...(await attachedTo(world, userId))]
}
