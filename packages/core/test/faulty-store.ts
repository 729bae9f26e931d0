import type { CompleteAdapter } from '../../adapters/src/memory.ts'

/** What happens to a call of the store. A lost answer belongs to a call that was carried out. */
export const FAULTS = ['not carried out', 'answer lost', 'carried out twice'] as const
export type Fault = (typeof FAULTS)[number]

/** What happens at a call of the store while something runs: a fault, or something else that runs in between. */
export interface Disturbance {
  /** Which call it is, from 1. */
  readonly at: number
  readonly fault: Fault | (() => Promise<unknown>)
}

/** What became of something that ran while the store was disturbed. */
export interface Disturbed {
  /** The names of its calls, in order. */
  readonly calls: readonly string[]
  /** The call that was disturbed, or `meanwhile`; undefined if there were fewer calls. */
  readonly hit: string | undefined
  /** What it threw; undefined if it did not. */
  readonly error: unknown
}

/** The parts of an adapter that have calls of their own. */
const PARTS = ['revocations', 'trackedSessions'] as const

/** A store each of whose calls can fail, or be interrupted, one at a time. */
export function createFaultyStore(
  store: CompleteAdapter,
  parts: readonly (keyof CompleteAdapter)[] = PARTS,
) {
  let plan: Disturbance | null = null
  let calls: string[] = []
  let hit: string | undefined

  async function call(name: string, act: () => unknown): Promise<unknown> {
    calls.push(name)
    if (plan?.at !== calls.length) return act()
    const { fault } = plan
    plan = null
    if (typeof fault === 'function') {
      hit = 'meanwhile'
      const own = calls
      calls = []
      await fault()
      calls = own
      return act()
    }
    hit = name
    if (fault === 'not carried out') throw new Error('connection refused')
    const result = await act()
    if (fault === 'carried out twice') return act()
    throw new Error(`connection lost after ${name}, which returned ${typeof result}`)
  }

  /** A store each of whose methods is a call. */
  function wrap<Store extends object>(inner: Store, prefix = ''): Store {
    const members = Object.entries(inner).map(([name, member]) => {
      if (parts.some(part => part === name)) return [name, wrap(member as object, `${name}.`)]
      // What is watched needs no call: messages arrive by themselves.
      if (typeof member !== 'function' || name === 'watch') return [name, member]
      const method = (...args: unknown[]) =>
        call(prefix + name, () => Reflect.apply(member, inner, args))
      return [name, method]
    })
    return Object.fromEntries(members) as Store // member by member the same
  }

  return {
    adapter: wrap(store),
    /** Runs something while the store is disturbed once. */
    async during(disturbance: Disturbance | null, act: () => Promise<unknown>): Promise<Disturbed> {
      const own: string[] = []
      plan = disturbance
      calls = own
      hit = undefined
      try {
        await act()
        return { calls: own, hit, error: undefined }
      } catch (error) {
        return { calls: own, hit, error }
      } finally {
        plan = null
      }
    },
  }
}
