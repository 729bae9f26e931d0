import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createWorld, type World } from '../../core/test/accounts/world.ts'
import { begin, enter, FLOWS, type FlowName, type State } from '../../core/test/schedules/flows.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { createPostgresDatabase, POSTGRES_URL, REDIS_URL } from './servers.ts'

/** Written by this test: `npx vitest run packages/adapters/test/statement-counts.release.test.ts -u`. */
const PAGE = join(import.meta.dirname, '../../../docs/guide/statements.md')

const STRATEGIES = ['database', 'jwt'] as const
type Strategy = (typeof STRATEGIES)[number]

const REASONS = {
  revocation:
    'a sign-in is checked against the log of ended sessions once it is stored, so that one which began before all sessions of its user were ended does not outlive that',
  account:
    'the same; and the tokens are stored only if the account still belongs to the user, who is read again when the session is stored',
  claim:
    'what the stranger has is removed in a transaction that locks the user, and is looked for again when the address is marked as proved',
  link: 'the row is stored in a transaction that checks the user and the session, and their state is read again before and after',
  unlink: 'the session and the user are read again before the last way in is removed',
  identify: 'the request is checked against the log of ended sessions',
  clock: 'the time of the database counts, not that of the process',
  rotated: 'a row that a rotation left is looked for, so that it ends as well',
  others: 'the sessions are listed in parts, and looked at again for those that began meanwhile',
  endAll:
    'the end is recorded in the log, so that a sign-in in progress notices, and rows are deleted in parts',
  reset:
    'the end of the sessions is recorded in the log; the old password stops working before the sessions end, the new one works only afterwards, and is taken back if the user was revoked meanwhile',
} as const

interface CountedFlow {
  readonly name: string
  /** What people do, and what is stored then. */
  readonly flow: FlowName | 'all'
  readonly state: State
  /** PostgreSQL with sessions in the database and in cookies, and Redis; null if the flow failed with the requests of today. */
  readonly before: readonly number[] | null
  /** Why there are more now. */
  readonly reason: string | null
}

/** Before: what this test counted with the sources of commit 45bd27bc. */
const COUNTED: readonly CountedFlow[] = [
  {
    name: 'Sign up at a provider',
    flow: 'Ann comes from one that may not',
    state: 'nobody is there',
    before: [3, 5, 11, 10],
    reason: REASONS.revocation,
  },
  {
    name: 'Sign in at a provider',
    flow: 'Ann comes from one that may not',
    state: 'Ann is there',
    before: [3, 4, 11, 10],
    reason: REASONS.account,
  },
  {
    name: 'Sign in by a link',
    flow: 'Ann opens a link',
    state: 'Ann is there',
    before: [3, 4, 6, 5],
    reason: REASONS.revocation,
  },
  {
    name: 'Sign in by a code',
    flow: 'Ann types a code',
    state: 'Ann is there',
    before: [4, 5, 7, 6],
    reason: REASONS.revocation,
  },
  {
    name: 'Sign in with a password',
    flow: 'Ann types her password',
    state: 'Ann is there',
    before: [4, 5, 7, 6],
    reason: REASONS.revocation,
  },
  {
    name: 'Sign in with a passkey',
    flow: 'Ann uses a passkey',
    state: 'Ann is there',
    before: [8, 9, 16, 15],
    reason: REASONS.revocation,
  },
  {
    name: 'Prove an address that a stranger has signed up with, by a link',
    flow: 'Ann opens a link',
    state: 'Mallory sits there',
    before: [24, 29, 39, 40],
    reason: REASONS.claim,
  },
  {
    name: 'The same at a provider',
    flow: 'Ann comes from a provider that may link',
    state: 'Mallory sits there',
    before: [26, 31, 43, 44],
    reason: REASONS.claim,
  },
  {
    name: 'Link an account',
    flow: 'Ann links an account',
    state: 'Ann is there',
    before: [13, 13, 25, 16],
    reason: REASONS.link,
  },
  {
    name: 'Add a passkey',
    flow: 'Ann adds a passkey',
    state: 'Ann is there',
    before: [18, 18, 35, 26],
    reason: REASONS.link,
  },
  {
    name: 'Unlink an account',
    flow: 'Ann unlinks an account',
    state: 'Ann is there',
    before: [7, 7, 13, 12],
    reason: REASONS.unlink,
  },
  {
    name: 'Choose a new password by a link',
    flow: 'Ann resets her password',
    state: 'Ann is there',
    before: [8, 10, 16, 14],
    reason: REASONS.reset,
  },
  {
    name: 'Change a password',
    flow: 'Ann changes her password',
    state: 'Ann is there',
    before: null,
    reason: null,
  },
  {
    name: 'Remove a password',
    flow: 'Ann removes her password',
    state: 'Ann is there',
    before: null,
    reason: null,
  },
  {
    name: 'Refresh tokens',
    flow: 'Ann calls a provider',
    state: 'Ann is there',
    before: [4, 3, 9, 7],
    reason: REASONS.identify,
  },
  {
    name: 'Rotate a session',
    flow: 'Ann rotates her session',
    state: 'Ann is there',
    before: [7, 4, 19, 5],
    reason: REASONS.clock,
  },
  {
    name: 'Sign out',
    flow: 'Ann signs out',
    state: 'Ann is there',
    before: [1, 2, 2, 3],
    reason: REASONS.rotated,
  },
  {
    name: 'End one session',
    flow: 'Ann ends a session',
    state: 'Ann is there',
    before: [4, 5, 10, 8],
    reason: REASONS.rotated,
  },
  {
    name: 'End the others',
    flow: 'Ann ends the others',
    state: 'Ann is there',
    before: [2, 4, 7, 7],
    reason: REASONS.others,
  },
  {
    name: 'End all',
    flow: 'all',
    state: 'Ann is there',
    before: [1, 2, 5, 4],
    reason: REASONS.endAll,
  },
]

interface Counter {
  readonly adapter: ReturnType<typeof PostgresAdapter>
  count: number
  readonly close: () => Promise<unknown>
}

async function openPostgres(): Promise<Counter> {
  const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
  const counter = { count: 0 }
  pool.on('connect', client => {
    const query = client.query
    client.query = ((...args: unknown[]) => {
      counter.count += 1
      return Reflect.apply(query, client, args)
    }) as typeof client.query // the same function, after it was counted
  })
  const adapter = PostgresAdapter({ pool })
  await adapter.migrations.apply()
  return Object.assign(counter, { adapter, close: () => pool.end() })
}

async function openRedis(): Promise<Counter> {
  const client = new Redis(String(REDIS_URL))
  const counter = { count: 0 }
  const call = client.call
  client.call = ((...args: unknown[]) => {
    counter.count += 1
    return Reflect.apply(call, client, args)
  }) as typeof client.call // as above
  const adapter = RedisAdapter({ client, prefix: `counts-${crypto.randomUUID()}:` })
  // Sound: nothing here needs what only one of the two adapters has.
  return Object.assign(counter, {
    adapter: adapter as unknown as Counter['adapter'],
    close: () => client.quit(),
  })
}

/** How many statements a flow takes, in a process that has served others before. */
async function countOf(
  counter: Counter,
  strategy: Strategy,
  { flow: name, state }: CountedFlow,
): Promise<{ readonly count: number; readonly said: string }> {
  const clock = { now: Date.now() }
  const setting = {
    ...{ strategy, methods: 'ours' as const, email: true },
    ...{ track: true, refreshTokens: true },
  }
  const kept = { used: counter.adapter, whole: counter.adapter } as never
  const world: World = await createWorld(setting, () => clock.now, kept)
  try {
    await begin(world, state)
    const act = name === 'all' ? await endingAll(world) : await prepare(world, name, state)
    await new Promise(resolve => setTimeout(resolve, 20)) // what nobody waits for is over
    counter.count = 0
    const result: unknown = await act()
    const { count } = counter
    return { count, said: (result as { said?: string } | undefined)?.said ?? 'ended' }
  } finally {
    for (const id of world.userIds) await counter.adapter.deleteUser(id)
  }
}

async function prepare(world: World, name: FlowName, state: State) {
  const browser = world.newBrowser()
  const { who, isSignedIn } = FLOWS[name]
  const scene = { world, browsers: [browser], people: [who] }
  if (isSignedIn) await enter(world, browser, who, state)
  return FLOWS[name].prepare({ scene, slot: 0, world, auth: world.auth, browser, who })
}

async function endingAll({ auth, store }: World) {
  const user = await store.getUserByEmail('ann@example.test')
  return () => auth.users.endSessions(String(user?.id))
}

/** How many each flow takes: with both stores, and where sessions are in the database and in cookies. */
async function measure(): Promise<ReadonlyMap<string, readonly number[]>> {
  const counts = new Map<string, readonly number[]>()
  for (const open of [openPostgres, openRedis]) {
    const counter = await open()
    for (const strategy of STRATEGIES) {
      for (const flow of COUNTED) {
        const counted: number[] = []
        // The log is read in between, which nobody waits for.
        for (let times = 0; times < 3; times += 1) {
          const { count, said } = await countOf(counter, strategy, flow)
          expect(said, flow.name).not.toMatch(/error|Refused|no session|false/)
          counted.push(count)
        }
        counts.set(flow.name, [...(counts.get(flow.name) ?? []), Math.min(...counted)])
      }
    }
    await counter.close()
  }
  return counts
}

it.skipIf(!POSTGRES_URL || !REDIS_URL)(
  'each flow takes as many statements and commands as the guide says, and more than before only for a reason',
  async () => {
    const counts = await measure()
    const rows = COUNTED.map(({ name, before, reason }) => {
      const now = counts.get(name) ?? []
      const hasGrown = before !== null && now.some((count, at) => count > (before[at] ?? 0))
      expect(hasGrown, `${name} takes ${now}, and took ${before}: the reason is ${reason}`).toBe(
        reason !== null,
      )
      const cells = now.map((count, at) => (before ? `${before[at]} → ${count}` : `${count}`))
      return `| ${[name, ...cells, reason ?? ''].join(' | ')} |`
    })
    await expect([...INTRODUCTION, ...rows, ''].join('\n')).toMatchFileSnapshot(PAGE)
  },
  300_000,
)

const INTRODUCTION = [
  '<!-- Written by packages/adapters/test/statement-counts.release.test.ts: do not edit. -->',
  '',
  '# Statements per flow',
  '',
  'How many statements PostgreSQL and how many commands Redis receives for one request, with sessions in the database and',
  'in cookies that are listed. `begin` and `commit` count, and so does what a process reads from the log of ended sessions',
  'at the first request of its kind. The number before the arrow is from before account changes became atomic, and the last',
  'column says why there are more. A number stands alone if the request has changed since.',
  '',
  '| Flow | PostgreSQL | PostgreSQL, cookies | Redis | Redis, cookies | Why more |',
  '|---|---|---|---|---|---|',
]
