import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { Ending, Revocation, RevocationLog } from '@siteauth/core/adapters'
import { createTestAuth, Visitor } from '../visitor.ts'

/** A log in memory, with a clock, that can be out of reach. */
export function createLog(now: () => number) {
  const rows = new Map<string, Revocation & { readonly at: number }>()
  const watchers = new Set<(revocation: Revocation) => void>()
  const state = { isDown: false, hasChannel: false, calls: [] as string[] }
  function ask(call: string): void {
    state.calls.push(call)
    if (state.isDown) throw new Error('connection refused')
  }
  const log = {
    async end(endings: readonly Ending[]) {
      ask('end')
      return endings.map(({ key, until, isGeneration }) => {
        const known = rows.get(key)
        const next = Math.max((known?.generation ?? 0) + 1, now())
        const row = { key, until, generation: isGeneration ? next : null, at: now() }
        rows.set(key, row)
        if (state.hasChannel) for (const tell of watchers) tell(row)
        return row
      })
    },
    async find(keys: readonly string[]) {
      ask('find')
      return keys.flatMap(key => rows.get(key) ?? [])
    },
    async since(time: Date | null) {
      ask('since')
      const from = time?.getTime() ?? 0
      return {
        revocations: [...rows.values()].filter(({ at }) => at >= from),
        now: new Date(now()),
      }
    },
    async watch(onEnded: (revocation: Revocation) => void) {
      watchers.add(onEnded)
      return () => void watchers.delete(onEnded)
    },
  } satisfies RevocationLog
  return { log, state, rows }
}

/** Several servers of one application, with sessions in cookies and a log that they share. */
export function createNetwork(config: Partial<AuthConfig> = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const store = createLog(now)
  const node = (more: Partial<AuthConfig> = {}) => {
    // A log of its own, as every process has: only what is stored is shared.
    const log = { ...store.log }
    return createTestAuth({
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
      session: { strategy: 'jwt', ...config.session, ...more.session, revocation: { log } },
    })
  }
  return { clock, ...store, node }
}

/** The same browser, or a copy of its cookies, at another server. */
export function at(auth: Pick<AuthInstance, 'handle'>, visitor: Visitor): Visitor {
  const copy = new Visitor(auth.handle)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}
