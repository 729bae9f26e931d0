import mysqlCallback from 'mysql2'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../../core/test/visitor.ts'
import type { CompleteAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { createApplication, readUserId, signIn } from './application.ts'
import { as } from './interrupted/scenarios.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

const EXPIRES = new Date(Date.now() + 86_400_000)
const TIMEOUT = 2000
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

interface Strained {
  readonly adapter: CompleteAdapter
  /** Locks the table of sessions, until the result is called. */
  readonly lock: () => Promise<() => Promise<unknown>>
  readonly close: () => Promise<unknown>
}

interface Limits {
  readonly connections?: number
  readonly level?: (typeof LEVELS)[number]
  readonly timeout?: number
}

async function openPostgres({
  connections = 10,
  level,
  timeout: timeoutMilliseconds = 10_000,
}: Limits): Promise<Strained> {
  const url = await createPostgresDatabase()
  const options = level && {
    options: `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`,
  }
  const pool = new pg.Pool({ connectionString: url, max: connections, ...options })
  const adapter = PostgresAdapter({ pool, timeoutMilliseconds })
  await adapter.migrations.apply()
  return {
    adapter,
    async lock() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('begin; lock table sessions in access exclusive mode')
      return () => client.end()
    },
    close: () => pool.end(),
  }
}

async function openMysql({
  connections = 10,
  level,
  timeout: timeoutMilliseconds = 10_000,
}: Limits): Promise<Strained> {
  const url = await createMysqlDatabase()
  const pool = mysqlCallback.createPool({ uri: url, connectionLimit: connections })
  if (level)
    pool.on(
      'connection',
      made => void made.query(`set session transaction isolation level ${level}`),
    )
  const adapter = MysqlAdapter({ pool, timeoutMilliseconds })
  await adapter.migrations.apply()
  return {
    adapter,
    async lock() {
      const connection = await mysql.createConnection(url)
      await connection.query('lock tables sessions write')
      return () => connection.end()
    },
    close: () => pool.promise().end(),
  }
}

const STORES = [
  { name: 'PostgreSQL', isThere: POSTGRES_URL !== undefined, open: openPostgres },
  { name: 'MySQL', isThere: MYSQL_URL !== undefined, open: openMysql },
]

/** What many people do at once. Rejects if any of it fails. */
async function doEverything(
  { passwords, ...adapter }: CompleteAdapter,
  people: number,
): Promise<void> {
  const key = (index: number) => `s:${index}`
  await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      const id = `person-${index}`
      await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      const account = {
        provider: 'github',
        providerAccountId: id,
        userId: id,
        type: 'oauth' as const,
      }
      await adapter.linkAccount(account)
      const tokens = [1, 2, 3].map(number => `${id}-${number}`)
      await Promise.all(
        tokens.map(async sessionToken =>
          adapter.createSession({ sessionToken, userId: id, expires: EXPIRES }),
        ),
      )
      await adapter.getAndRenewSession(tokens[0] ?? '', {
        now: new Date(),
        dueUntil: EXPIRES,
        dueAfter: EXPIRES,
        expires: EXPIRES,
      })
      await adapter.deleteOtherSessions({ userId: id, sessionToken: tokens[0] ?? '' })
      await adapter.limiter.take('one for all', { burst: 1000, refillSeconds: 1 }, Date.now())
      // More than one statement can take, so that it takes a transaction; and a key that all of them write.
      const entries = Array.from({ length: 1100 }, (__, at) => ({
        key: key(at + index * 2000),
        until: EXPIRES,
      }))
      await adapter.revocations.end([
        ...entries,
        { key: 'u:all', until: EXPIRES, isGeneration: true },
      ])
      const lease = { holder: id, until: EXPIRES, now: new Date() }
      await adapter.leaseAccount(account, lease)
      await passwords.set({ userId: id, hash: 'h', changedAt: new Date() })
      await adapter.deleteSessions(id)
      await adapter.deleteUser(id)
    }),
  )
}

/** What many requests do at once with the same rows. Returns what became of those of which one can succeed. */
async function shareRows(adapter: CompleteAdapter, requests: number) {
  const { id } = await adapter.createUser({
    ...{ id: 'ann', email: 'ann@example.com', emailVerified: null },
  })
  const key = { provider: 'github', providerAccountId: 'ann' }
  await adapter.linkAccount({ ...key, userId: id, type: 'oauth' })
  await adapter.createSession({ sessionToken: 'shared', userId: id, expires: EXPIRES })
  const all = <Result>(act: (index: number) => Result) =>
    Promise.all(Array.from({ length: requests }, async (_, index) => act(index)))
  await all(async index => {
    await adapter.updateUser({ id, name: `Ann ${index}` })
    await adapter.updateSession({ sessionToken: 'shared', expires: EXPIRES })
    await adapter.updateAccount({ ...key, access_token: `token ${index}` })
    await adapter.trackedSessions.add({ id: 'tracked', userId: id, expires: EXPIRES })
    await adapter.revocations.end([{ key: 'u:ann', until: EXPIRES, isGeneration: true }])
  })
  const links = await all(index =>
    adapter.linkAccountIf({
      account: { ...key, providerAccountId: `ann ${index % 3}`, userId: id, type: 'oauth' },
      condition: {
        user: { email: 'ann@example.com', emailVerified: null },
        sessionToken: 'shared',
      },
    }),
  )
  const signUps = await all(index =>
    adapter.createUserWithAccount({
      user: { id: `bob ${index}`, email: 'bob@example.com', emailVerified: null },
      account: { ...key, providerAccountId: `bob ${index}`, type: 'oauth' },
      session: { sessionToken: `of bob ${index}`, expires: EXPIRES },
    }),
  )
  const ended = await all(() => adapter.deleteSession('shared'))
  return {
    linked: links.filter(outcome => outcome === 'linked').length,
    signedUp: signUps.filter(Boolean).length,
    ended: ended.filter(Boolean).length,
  }
}

/** What people do at once who share a user, an account or a session. Returns what they end up with. */
async function useTogether(adapter: CompleteAdapter, people: number) {
  const application = await createApplication(adapter)
  const { auth } = application
  const browsers = () => Array.from({ length: people }, () => new Visitor(auth.handle))
  const userOf = async (browser: Visitor) => readUserId(await browser.session())
  const asAnn = as(application, 'ann')
  // Each signs up as the same person, then signs in again.
  const first = browsers()
  await Promise.all(first.map(browser => signIn(asAnn, browser)))
  const again = browsers()
  await Promise.all(again.map(browser => signIn(asAnn, browser)))
  const users = await Promise.all(again.map(userOf))
  // Each links an account of another provider to that user.
  await Promise.all(again.map(browser => signIn(as(application, 'ann'), browser, 'other')))
  const accounts = await adapter.listAccounts(String(users[0]))
  // One browser signs out in many tabs.
  const [leaving] = again
  const tabs = browsers()
  for (const tab of tabs) {
    for (const [name, value] of leaving?.cookies ?? []) tab.cookies.set(name, value)
  }
  const copy = new Visitor(auth.handle)
  for (const [name, value] of leaving?.cookies ?? []) copy.cookies.set(name, value)
  const left = await Promise.all(tabs.map(tab => tab.post('/signout')))
  return {
    users: new Set(users).size,
    isSignedIn: !users.includes(undefined),
    accounts: accounts.map(({ provider }) => provider).sort(),
    signOuts: left.filter(({ headers }) => !headers.get('location')?.includes('error')).length,
    isOut: (await userOf(copy)) === undefined,
  }
}

/**
 * Describes what many requests do at once.
 *
 * @param extent every level of isolation for each of it, or one, another one for each and each store
 */
export function strainSuite(extent: 'all' | 'one'): void {
  for (const [at, { name, isThere, open }] of STORES.entries()) {
    const levels = (offset: number) =>
      extent === 'all'
        ? LEVELS
        : LEVELS.filter((_, level) => level === (at + offset) % LEVELS.length)

    describe.skipIf(!isThere)(`${name} under strain`, () => {
      it('serves many people with a pool of one connection', async () => {
        const { adapter, close } = await open({ connections: 1 })
        await doEverything(adapter, 5)
        await close()
      })

      it.each(levels(0))('serves many people at once at the level %s', async level => {
        const { adapter, close } = await open({ level })
        await doEverything(adapter, 10)
        await close()
      })

      it('links accounts and signs people up with a pool of one connection', async () => {
        const { adapter, close } = await open({ connections: 1 })
        expect(await shareRows(adapter, 8)).toEqual({ linked: 3, signedUp: 1, ended: 1 })
        await close()
      })

      it.each(levels(1))(
        'carries out what many requests do with the same rows at the level %s',
        async level => {
          const { adapter, close } = await open({ level })
          expect(await shareRows(adapter, 12)).toEqual({ linked: 3, signedUp: 1, ended: 1 })
          await close()
        },
      )

      it.each(levels(2))(
        'lets people share a user, an account and a session at the level %s',
        async level => {
          const { adapter, close } = await open({ level })
          expect(await useTogether(adapter, 6)).toEqual({
            users: 1,
            isSignedIn: true,
            accounts: ['op', 'other'],
            signOuts: 6,
            isOut: true,
          })
          await close()
        },
      )

      it('answers 503 within seconds while the table of sessions is locked, and works afterwards', async () => {
        const { adapter, lock, close } = await open({ timeout: TIMEOUT })
        const user = await adapter.createUser({
          id: 'ann',
          email: 'ann@example.com',
          emailVerified: null,
        })
        const auth = createTestAuth({
          adapter,
          providers: [
            { id: 'key', name: 'Key', type: 'credentials', credentials: {}, authorize: () => user },
          ],
        })
        const ann = new Visitor(auth.handle)
        await ann.post('/callback/key', {})
        const unlock = await lock()
        const began = performance.now()
        expect((await ann.get('/session')).status).toBe(503)
        // Twice the timeout, and as much again for a busy machine.
        expect(performance.now() - began).toBeLessThan(4 * TIMEOUT)
        await unlock()
        expect(await ann.session()).toMatchObject({ user: { email: 'ann@example.com' } })
        await close()
      })
    })
  }
}
