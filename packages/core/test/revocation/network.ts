import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { NewRevocation, RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { createTestAuth, Visitor } from '../visitor.ts'

/** Runs a call of the log, or lets it fail: before it has done anything, or when it has. */
type Intercept = (call: string, act: () => Promise<unknown>) => Promise<unknown>

interface Watcher {
  readonly onEnded: (revocation: RevocationEntry) => void
  readonly onLost: () => void
  readonly onListening: () => void
}

/** A log in memory, with a clock, that can be out of reach. It forgets entries as soon as it may. */
export function createLog(now: () => number) {
  const written: NewRevocation[] = []
  const rows = new Map<string, RevocationEntry & { readonly at: number }>()
  const watchers = new Set<Watcher>()
  const state = {
    isDown: false,
    isReadOnly: false,
    hasChannel: false,
    calls: [] as string[],
    /** How many entries the calls of `since` have returned. */
    read: 0,
    intercept: (async (_call, act) => act()) as Intercept,
  }

  async function ask<Result>(call: string, act: () => Result): Promise<Result> {
    state.calls.push(call)
    if (state.isDown) throw new Error('connection refused')
    for (const [key, { until }] of rows) {
      if (until instanceof Date && until.getTime() <= now()) rows.delete(key)
    }
    return (await state.intercept(call, async () => act())) as Result
  }

  function record({ key, until, isGeneration, generation }: NewRevocation): RevocationEntry {
    const known = rows.get(key)
    const isAll = !isGeneration || known?.generation === null
    const row = {
      key,
      until: known && known.until > until ? known.until : until,
      generation: isAll ? null : Math.max((known?.generation ?? 0) + 1, generation ?? now()),
      at: now(),
    }
    rows.set(key, row)
    return row
  }

  const log = {
    end: async (endings: readonly NewRevocation[]) =>
      ask('end', () => {
        if (state.isReadOnly) throw new Error('read-only transaction')
        written.push(...endings)
        const recorded = endings.map(record)
        if (state.hasChannel) recorded.forEach(notify)
        return recorded
      }),
    find: async (keys: readonly string[]) =>
      ask('find', () => keys.flatMap(key => rows.get(key) ?? [])),
    since: async (time: Date | null) =>
      ask('since', () => {
        const from = time?.getTime() ?? 0
        const revocations = [...rows.values()].filter(({ at }) => at >= from)
        state.read += revocations.length
        return { revocations, now: new Date(now()) }
      }),
    async watch(onEnded: Watcher['onEnded'], onLost: () => void, onListening = () => {}) {
      const watcher = { onEnded, onLost, onListening }
      watchers.add(watcher)
      if (state.hasChannel) onListening()
      return () => void watchers.delete(watcher)
    },
  } satisfies RevocationLog as Omit<Required<RevocationLog>, 'page' | 'restore'>
  /** Notifies the watchers of an entry. */
  const notify = (entry: RevocationEntry) => {
    for (const { onEnded } of watchers) onEnded(entry)
  }
  /** The connections of all watchers are lost, or are back. */
  const setChannel = (isOpen: boolean) => {
    state.hasChannel = isOpen
    for (const { onLost, onListening } of watchers) (isOpen ? onListening : onLost)()
  }
  return { log, state, rows, written, notify, setChannel }
}

/** Several servers of one application, with sessions in cookies and a log that they share. */
export function createNetwork(config: Partial<AuthConfig> = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const storeClock = { offset: 0 }
  const store = createLog(() => clock.now + storeClock.offset)
  /** A configuration in a process that holds this log, or none. */
  const createNode = (log: RevocationLog | null, more: Partial<AuthConfig> = {}) =>
    createTestAuth({
      providers: [
        {
          id: 'password',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: ({ id }) => ({ id: String(id), name: String(id) }),
        },
      ],
      ports: { now },
      ...config,
      ...more,
      session: {
        strategy: 'jwt',
        ...config.session,
        ...more.session,
        ...(log && { revocation: { log } }),
      },
    })
  // A log of its own, as every process has: only what is stored is shared.
  const node = (more?: Partial<AuthConfig>) => createNode({ ...store.log }, more)
  return { clock, storeClock, ...store, node, createNode }
}

/** The same browser, or a copy of its cookies, at another server. */
export function at(auth: Pick<AuthInstance, 'handle'>, visitor: Visitor): Visitor {
  const copy = new Visitor(auth.handle)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}
