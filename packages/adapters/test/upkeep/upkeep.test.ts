import { createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Visitor } from '../../../core/test/visitor.ts'
import type { SqlAdapterOptions } from '../../src/sqlite.ts'
import { createApplication, signIn } from '../application.ts'
import {
  addOldAttempts,
  addOldRevocations,
  addRows,
  DAY,
  EXPIRING,
  HOUR,
  RULE,
  SQL_STORES,
  type SqlStore,
} from './sql-stores.ts'

const PLATFORMS = [
  'AWS_LAMBDA_FUNCTION_NAME',
  'VERCEL',
  'K_SERVICE',
  'DENO_DEPLOY',
  'DENO_DEPLOYMENT_ID',
]

let store: SqlStore

async function openStore(options?: SqlAdapterOptions): Promise<SqlStore> {
  store = await (SQL_STORES[0] as (typeof SQL_STORES)[number]).prepare(options)
  return store
}

beforeEach(() => {
  // The tests themselves may run on such a platform.
  for (const name of PLATFORMS) vi.stubEnv(name, '')
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await store.adapter.close()
  await store.kysely.destroy()
})

/** An application with passwords, and how to try one. */
function withPasswords({ adapter }: SqlStore) {
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      trustHost: true,
      limits: true,
      adapter,
      session: { strategy: 'jwt', revocation: false },
      logger: { error() {}, warn() {}, debug() {} },
      providers: [Credentials({ credentials: {}, authorize: () => null })],
    },
    { env: { NODE_ENV: 'test' } },
  )
  const request = { url: 'https://app.example.com/', headers: { host: 'app.example.com' } }
  const given = (password: string) => ({ username: 'ann', password, redirectTo: '/' })
  return (password: string) =>
    auth.signIn(request, 'credentials', given(password)).catch(({ type }) => type)
}

/** What was sent meanwhile. */
async function sentBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  store.statements.length = 0
  await act()
  return [...store.statements]
}

const isDeletion = (statement: string) => /^\s*delete/.test(statement)

describe('beside 10,000 rows that have expired', () => {
  it('an attempt to sign in removes none, also if it is the first of the process', async () => {
    await openStore()
    await addOldAttempts(store.kysely, 10_000, 2 * DAY)
    const attempt = withPasswords(store)
    const sent = await sentBy(() => attempt('wrong'))
    expect(sent.filter(each => each.includes('limits'))).not.toHaveLength(0)
    expect(sent.filter(isDeletion)).toEqual([])
    expect(await store.count('limits')).toBeGreaterThan(10_000)
  })

  it('a sign-out removes none', async () => {
    await openStore()
    await addOldRevocations(store.kysely, 10_000, 2 * DAY)
    const session = { strategy: 'jwt', track: true } as const
    const { auth, server } = await createApplication(store.adapter, { session })
    const visitor = new Visitor(auth.handle)
    await signIn(server, visitor)
    const sent = await sentBy(() => visitor.post('/signout'))
    expect(await visitor.session()).toBeNull()
    expect(sent.filter(isDeletion)).toEqual([expect.stringContaining('tracked_sessions')])
    expect(await store.count('revocations')).toBeGreaterThan(10_000)
  })
})

describe('a process that goes on between requests', () => {
  const fakeTime = () => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })

  /** A visitor comes now, and another one after so many hours. */
  async function comeBack(hours: number) {
    await store.adapter.limiter.take('first', RULE, Date.now())
    vi.setSystemTime(Date.now() + hours * HOUR)
    await store.adapter.limiter.take('second', RULE, Date.now())
  }

  it('removes all of them, a batch of each table in turn, and nothing that is valid', async () => {
    await openStore()
    const userId = await addRows(store, 250)
    fakeTime()
    await comeBack(1)
    const sent = await sentBy(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await Promise.all(EXPIRING.map(store.count))).toEqual([1, 1, 1, 1, 3])
    const tables = sent.filter(isDeletion).map(each => /delete from "(\w+)"/.exec(each)?.[1])
    expect(tables.slice(0, 10)).toEqual([...EXPIRING, ...EXPIRING])
    expect(tables).toHaveLength(15)
    const { adapter } = store
    expect(await adapter.getSessionAndUser('live')).not.toBeNull()
    expect(await adapter.trackedSessions.list(userId, 10)).toHaveLength(1)
    expect(await adapter.revocations.find(['s:ended'])).toHaveLength(1)
    expect(await adapter.limiter.take('live', RULE, Date.now() - HOUR)).toBeGreaterThan(0)
    const link = { identifier: 'ada@example.com', token: 'live' }
    expect(await adapter.useVerificationToken(link)).not.toBeNull()
  })

  it('removes none while it serves the request that starts it', async () => {
    await openStore()
    await addOldAttempts(store.kysely, 250, 2 * DAY)
    fakeTime()
    const sent = await sentBy(() => comeBack(1))
    expect(sent.filter(isDeletion)).toEqual([])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await store.count('limits')).toBe(2)
  })

  it.each([
    [0, 299, 301],
    [0.999, 898, 900],
  ])(
    'does so at a random time: if the random number is %d, %i to %i seconds later',
    async (random, early, late) => {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      await openStore()
      await addOldAttempts(store.kysely, 10, 2 * DAY)
      fakeTime()
      await comeBack(early / 3600)
      await vi.advanceTimersByTimeAsync(5000)
      expect(await store.count('limits')).toBe(12)
      vi.setSystemTime(Date.now() + (late - early) * 1000 - 5000)
      await store.adapter.limiter.take('third', RULE, Date.now())
      await vi.advanceTimersByTimeAsync(5000)
      expect(await store.count('limits')).toBe(3)
    },
  )

  it('removes none once the adapter is closed', async () => {
    await openStore()
    await addOldAttempts(store.kysely, 250, 2 * DAY)
    fakeTime()
    await comeBack(1)
    await store.adapter.close()
    expect(await sentBy(() => vi.advanceTimersByTimeAsync(10_000))).toEqual([])
    await comeBack(1)
    expect(await sentBy(() => vi.advanceTimersByTimeAsync(10_000))).toEqual([])
  })

  it('does not keep the process alive', async () => {
    const unref = vi.fn()
    vi.spyOn(globalThis, 'setTimeout').mockReturnValue({ unref } as never)
    vi.useFakeTimers({ toFake: ['Date'] })
    await openStore()
    await comeBack(1)
    expect(unref).toHaveBeenCalledOnce()
  })

  it('removes none of a table without an index on the time, which deleteExpired does', async () => {
    await openStore()
    await addOldAttempts(store.kysely, 10, 2 * DAY)
    await addOldRevocations(store.kysely, 10, 2 * DAY)
    // With its first statement, the adapter creates what is missing.
    await store.adapter.limiter.forget('nobody')
    await sql`drop index limits_expires_idx`.execute(store.kysely)
    fakeTime()
    await comeBack(1)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await store.count('limits')).toBe(12)
    expect(await store.count('revocations')).toBe(0)
    await store.adapter.deleteExpired()
    expect(await store.count('limits')).toBe(2)
  })

  it('warns once if it cannot, goes on with the other tables, and visitors notice nothing', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    await openStore()
    await addRows(store, 10)
    await sql`create trigger never before delete on limits begin select raise(abort, 'not allowed'); end`.execute(
      store.kysely,
    )
    fakeTime()
    for (let times = 0; times < 3; times += 1) {
      await comeBack(1)
      await vi.advanceTimersByTimeAsync(5000)
    }
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(/^expired rows of the table limits .*not allowed/),
        { type: 'SiteAuthWarning', code: 'SITEAUTH_CLEANUP' },
      ],
    ])
    expect(await store.count('sessions')).toBe(1)
  })
})

it.each(PLATFORMS)('the variable %s says that a process may stop with the response', async name => {
  vi.stubEnv(name, '1')
  await openStore()
  await addOldAttempts(store.kysely, 100, 2 * DAY)
  vi.spyOn(Math, 'random').mockReturnValue(0)
  await store.adapter.limiter.take('new', RULE, Date.now())
  expect(await store.count('limits')).toBe(81)
})

it('so does a worker of Cloudflare, which has the variables of Node as well', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  await openStore()
  await addOldAttempts(store.kysely, 100, 2 * DAY)
  vi.spyOn(Math, 'random').mockReturnValue(0)
  await store.adapter.limiter.take('new', RULE, Date.now())
  expect(await store.count('limits')).toBe(81)
})

describe('on a runtime that may stop with the response', () => {
  beforeEach(() => vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'sign-in'))

  it('one attempt of ten removes 20, and the others none', async () => {
    await openStore()
    await addOldAttempts(store.kysely, 1000, 2 * DAY)
    const random = vi.spyOn(Math, 'random')
    for (let times = 0; times < 10; times += 1) {
      random.mockReturnValue(times / 10)
      await store.adapter.limiter.take(`new-${times}`, RULE, Date.now())
    }
    expect(await store.count('limits')).toBe(1000 + 10 - 20)
  })

  it('an attempt that is refused removes none: it adds none', async () => {
    await openStore()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    await store.adapter.limiter.take('ann', RULE, Date.now())
    await addOldAttempts(store.kysely, 100, 2 * DAY)
    expect(await store.adapter.limiter.take('ann', RULE, Date.now())).toBeGreaterThan(0)
    expect(await store.count('limits')).toBe(101)
  })

  it('each kind of row that is added removes 20 of its kind', async () => {
    await openStore()
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const userId = await addRows(store, 40)
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const expires = new Date(Date.now() + DAY)
    const { adapter } = store
    await adapter.createSession({ sessionToken: 'new', userId, expires })
    await adapter.createVerificationToken({
      identifier: 'bob@example.com',
      token: 'new',
      expires,
    })
    await adapter.trackedSessions.add({ id: 's:new', userId, expires })
    await adapter.revocations.end([{ key: 's:new', until: expires }])
    await adapter.limiter.take('new', RULE, Date.now())
    expect(await Promise.all(EXPIRING.map(store.count))).toEqual([22, 22, 22, 22, 22])
    await adapter.createUserWithAccount({
      user: { name: 'Bob', email: 'bob@example.com', emailVerified: null },
      account: { type: 'oauth', provider: 'github', providerAccountId: '1' },
      session: { sessionToken: 'of-bob', expires },
    })
    expect(await store.count('sessions')).toBe(3)
  })

  it('the response does not wait if there is waitUntil', async () => {
    const work: Promise<unknown>[] = []
    await openStore({ waitUntil: each => work.push(each) })
    await addOldAttempts(store.kysely, 1000, 2 * DAY)
    vi.spyOn(Math, 'random').mockReturnValue(0)
    await store.adapter.limiter.take('new', RULE, Date.now())
    expect(work).toHaveLength(1)
    await Promise.all(work)
    expect(await store.count('limits')).toBe(901)
  })

  it('a waitUntil that throws, and rows that cannot be removed, do not keep anybody from signing in', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const waitUntil = () => {
      throw new Error('outside a request')
    }
    await openStore({ waitUntil })
    expect(await store.adapter.limiter.take('one', RULE, Date.now())).toBe(0)
    await sql`drop table limits`.execute(store.kysely)
    const { revocations } = store.open()
    await sql`create trigger never before delete on revocations begin select raise(abort, 'not allowed'); end`.execute(
      store.kysely,
    )
    await addOldRevocations(store.kysely, 1, 2 * DAY)
    expect(await revocations.end([{ key: 's:1', until: new Date() }])).toHaveLength(1)
    expect(warn).toHaveBeenCalledTimes(2)
  })
})

it('a process that goes on removes rows between requests, though it was given waitUntil', async () => {
  const waitUntil = vi.fn()
  await openStore({ waitUntil })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  await store.adapter.limiter.take('one', RULE, Date.now())
  expect(waitUntil).not.toHaveBeenCalled()
})

it('deleteExpired lets others run between two batches', async () => {
  await openStore()
  await addOldAttempts(store.kysely, 2000, 2 * DAY)
  const removing = store.adapter.deleteExpired()
  const left: number[] = []
  while (left.at(-1) !== 0) {
    await new Promise(resolve => setImmediate(resolve))
    left.push(await store.count('limits'))
  }
  expect(await removing).toBe(2000)
  expect(new Set(left).size).toBeGreaterThan(3)
})

describe('a process whose clock is two days ahead', () => {
  /** It serves other users, and removes what may be removed. */
  async function cleanUp() {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    vi.setSystemTime(Date.now() + 2 * DAY)
    const other = store.open()
    await other.limiter.take('bob', RULE, Date.now())
    vi.setSystemTime(Date.now() + HOUR)
    await other.limiter.take('carl', RULE, Date.now())
    await vi.advanceTimersByTimeAsync(10_000)
    await other.deleteExpired()
    await other.close()
    vi.useRealTimers()
  }

  it('does not give Mallory, who has guessed too often, new guesses at the password of Ann', async () => {
    await openStore()
    const attempt = withPasswords(store)
    for (let guesses = 0; guesses < 5; guesses += 1) await attempt(`guess ${guesses}`)
    expect(await attempt('the sixth')).toBe('TooManyAttempts')
    await cleanUp()
    expect(await attempt('the seventh')).toBe('TooManyAttempts')
  })

  it('does not bring back a session in a cookie that Mallory has copied and Ann has ended', async () => {
    await openStore()
    const session = { strategy: 'jwt' } as const
    const { auth, server } = await createApplication(store.adapter, { session })
    const ann = new Visitor(auth.handle)
    await signIn(server, ann)
    const mallory = new Visitor(auth.handle)
    for (const [name, value] of ann.cookies) mallory.cookies.set(name, value)
    expect(await mallory.session()).not.toBeNull()
    await ann.post('/signout')
    await cleanUp()
    // By a process that has heard nothing of it.
    const fresh = await createApplication(store.open(), { session })
    const elsewhere = new Visitor(fresh.auth.handle)
    for (const [name, value] of mallory.cookies) elsewhere.cookies.set(name, value)
    expect(await elsewhere.session()).toBeNull()
  })

  it('does not sign Ann out, whose session ends in an hour', async () => {
    await openStore()
    const session = { strategy: 'database', maxAge: 3600 } as const
    const { auth, server } = await createApplication(store.adapter, { session })
    const ann = new Visitor(auth.handle)
    await signIn(server, ann)
    await cleanUp()
    expect(await ann.session()).not.toBeNull()
  })

  it('does not let a link be used a second time, nor a challenge be answered twice', async () => {
    await openStore()
    const { adapter } = store
    const link = {
      identifier: 'ann@example.com',
      token: 'hash',
      expires: new Date(Date.now() + HOUR),
    }
    await adapter.createVerificationToken(link)
    expect(await adapter.useVerificationToken(link)).not.toBeNull()
    const answered = { identifier: 'webauthn-challenge', token: 'hash', expires: link.expires }
    await adapter.createVerificationToken(answered)
    await cleanUp()
    expect(await adapter.useVerificationToken(link)).toBeNull()
    await expect(adapter.createVerificationToken(answered)).rejects.toThrow()
  })
})
