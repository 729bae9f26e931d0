import { AsyncLocalStorage } from 'node:async_hooks'

// Several flows of which one at a time may go on, to its next call of the store. The others are stopped right before theirs.

/** The flows that can go on, each by its number. */
interface Choice {
  /** Those that are stopped before a call. */
  readonly stopped: readonly number[]
  /** The calls before which they are. */
  readonly calls: readonly string[]
  /** Those that wait for some time to pass, as for the lease of another. They go on once that time has passed. */
  readonly asleep: readonly number[]
}

/** Which flow goes on. */
export type Choose = (choice: Choice) => number

/** The time that flows see. */
export interface Clock {
  now: number
}

/** How long a flow waits for another, at most, in milliseconds. Whatever is longer limits how long a call may take. */
const LONGEST_WAIT = 400

interface Sleep {
  readonly delay: number
  readonly wake: () => void
}

interface Stop {
  /** The call of the store that comes next. */
  readonly name: string
  readonly goOn: () => void
}

interface Flow {
  readonly index: number
  readonly stopped: Stop[]
  readonly asleep: Sleep[]
  /** How many calls are being carried out. */
  running: number
  isDone: boolean
}

const flows = new AsyncLocalStorage<{ readonly flow: Flow; readonly changed: () => void }>()

/** Calls a store when it is the turn of the flow that asks. */
export async function inTurn<T>(call: () => Promise<T>, name: string): Promise<T> {
  const current = flows.getStore()
  if (!current || current.flow.isDone) return call()
  const { flow, changed } = current
  await stop(flow, changed, name)
  try {
    return await call()
  } finally {
    flow.running--
    changed()
  }
}

/** Ends a turn in the middle of a call, where the store carries out the rest of it apart. */
export async function betweenStatements(): Promise<void> {
  const current = flows.getStore()
  if (!current || current.flow.isDone) return
  current.flow.running--
  await stop(current.flow, current.changed, '…')
}

/** Ends when it is the turn of the flow. */
async function stop(flow: Flow, changed: () => void, name: string): Promise<void> {
  const turn = new Promise<void>(goOn => flow.stopped.push({ name, goOn }))
  changed()
  await turn
}

/** A turn of a flow, and the call that it makes. */
export interface Turn {
  readonly flow: number
  readonly call: string
}

/** Runs flows turn by turn. Returns what each of them returned, and who had which turn. */
export async function takeTurns<T>(
  acts: readonly (() => Promise<T>)[],
  choose: Choose,
  clock: Clock,
): Promise<{ readonly results: readonly T[]; readonly turns: readonly Turn[] }> {
  const turns: Turn[] = []
  const all = acts.map((_, index): Flow => {
    return { index, stopped: [], asleep: [], running: 0, isDone: false }
  })
  let fail: (reason: unknown) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })

  function goOn(): void {
    const live = all.filter(({ isDone }) => !isDone)
    const isBusy = live.some(each => {
      return each.running > 0 || each.stopped.length + each.asleep.length === 0
    })
    if (isBusy || live.length === 0) return
    const stopped = live.filter(each => each.stopped.length > 0)
    const asleep = live.filter(each => each.stopped.length === 0)
    const index = choose({
      stopped: stopped.map(each => each.index),
      calls: stopped.map(each => each.stopped[0]?.name ?? ''),
      asleep: asleep.map(each => each.index),
    })
    const flow = all[index] as Flow
    const next = flow.stopped.shift()
    if (next) {
      flow.running++
      turns.push({ flow: index, call: next.name })
      next.goOn()
    } else wake(flow, clock)
  }

  const changed = () => {
    try {
      goOn()
    } catch (reason) {
      fail(reason)
    }
  }
  const restore = replaceTimers()
  try {
    const ends = acts.map(async (act, index) => {
      const flow = all[index] as Flow
      try {
        return await flows.run({ flow, changed }, act)
      } finally {
        flow.isDone = true
        changed()
      }
    })
    return { results: await Promise.race([Promise.all(ends), failure]), turns }
  } finally {
    restore()
  }
}

/** Lets as much time pass as a flow waits for. */
function wake(flow: Flow, clock: Clock): void {
  const [sleep] = flow.asleep.splice(0, 1)
  clock.now += sleep?.delay ?? 0
  sleep?.wake()
}

/** Timers of flows wait for their turn, and limit no call: while it is stopped, a flow is not late. */
function replaceTimers(): () => void {
  const { setTimeout } = globalThis
  const replacement = (act: () => void, delay = 0, ...rest: unknown[]): unknown => {
    const current = flows.getStore()
    if (!current || current.flow.isDone || current.flow.running > 0 || delay === 0)
      return setTimeout(act, delay, ...rest)
    if (delay > LONGEST_WAIT) return { unref() {} }
    current.flow.asleep.push({ delay, wake: act })
    current.changed()
    return { unref() {} }
  }
  globalThis.setTimeout = replacement as typeof setTimeout // as far as the library uses it
  return () => {
    globalThis.setTimeout = setTimeout
  }
}

/** A flow, and how many turns it has before the next begins: all, if that is left out. */
export type Part = readonly [flow: number, turns?: number]

/** Flows one part after another. Once all parts are over, the first that can goes on. */
export function byParts(parts: readonly Part[]): Choose {
  let at = 0
  let left = parts[0]?.[1] ?? Number.POSITIVE_INFINITY
  return ({ stopped, asleep }) => {
    for (; at < parts.length; left = parts[++at]?.[1] ?? Number.POSITIVE_INFINITY) {
      const [flow] = parts[at] as Part
      if (left <= 0) continue
      if (stopped.includes(flow)) {
        left--
        return flow
      }
      // What waits for another cannot go on before it.
      if (asleep.includes(flow)) break
    }
    return stopped[0] ?? (asleep[0] as number)
  }
}

/** The flows that numbers stand for, one after another. After them, the first that can goes on. */
export function byNumbers(numbers: readonly number[]): Choose {
  let at = 0
  return ({ stopped, asleep }) => {
    const number = numbers[at++] ?? 0
    return stopped[number % stopped.length] ?? (asleep[0] as number)
  }
}

/** Somebody else has the next turn than in the schedule that is repeated. */
class Diverged extends Error {}

/** Flows in the order that was recorded. */
export function asRecorded(turns: readonly Turn[]): Choose {
  let at = 0
  return ({ stopped, calls, asleep }) => {
    const { flow, call } = turns[at] ?? {}
    const index = stopped.indexOf(flow ?? -1)
    if (flow !== undefined && index >= 0) {
      if (calls[index] !== call)
        throw new Diverged(`turn ${at} of flow ${flow} is ${calls[index]} rather than ${call}`)
      at++
      return flow
    }
    // What waits may end without another call.
    const waiting = asleep.find(each => flow === undefined || each === flow) ?? asleep[0]
    if (waiting !== undefined) return waiting
    throw new Diverged(`turn ${at} is of ${stopped.join(' or ')} (${calls}) rather than of ${flow}`)
  }
}
