import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { adapterSuite } from '@siteauth/testing/adapter'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PostgresAdapter, type SqlAdapter } from '../src/postgres.ts'
import { extraMethods } from './extra-methods.ts'
import { createPostgresDatabase, PGBOUNCER_URL, POSTGRES_URL, throughPgbouncer } from './servers.ts'

describe.skipIf(!POSTGRES_URL)('statements that PostgreSQL prepares', () => {
  let url: string
  let pool: pg.Pool
  let adapter: SqlAdapter
  beforeEach(async () => {
    url = await createPostgresDatabase()
    // One connection, so that what is prepared on it can be looked at.
    pool = new pg.Pool({ connectionString: url, max: 1 })
    adapter = PostgresAdapter({ pool })
    await adapter.migrations.apply()
  })
  afterEach(() => pool.end())

  it('have a name that is made of their text', async () => {
    const token = await signIn(adapter)
    await adapter.getSessionAndUser(token)
    await adapter.getSessionAndUser(token)
    const prepared = await preparedOn(pool)
    expect(prepared.filter(({ statement }) => /join/.test(statement))).toHaveLength(1)
    for (const { name, statement } of prepared) {
      const hash = createHash('sha256').update(statement).digest('hex').slice(0, 32)
      expect(name).toBe(`siteauth_${hash}`)
    }
  })

  it('are none of a transaction, which would be lost with one that is refused', async () => {
    const { id } = await adapter.createUser(sampleUser())
    await adapter.deleteUser(id)
    expect(await adapter.getUser(id)).toBeNull()
    const prepared = await preparedOn(pool)
    // The log removes what has expired, outside the transaction.
    const isInTransaction = /^\s*delete from "(?!revocations")/
    expect(prepared.filter(({ statement }) => isInTransaction.test(statement))).toEqual([])
    expect(prepared).not.toEqual([])
  })

  it('are none where the adapter is told so', async () => {
    const plain = PostgresAdapter({ pool, preparedStatements: false })
    expect(await isSignedIn(plain, await signIn(plain))).toBe(true)
    expect(await preparedOn(pool)).toEqual([])
  })

  it('are none where the pool can do no more than Kysely needs', async () => {
    const minimal = { connect: () => connectPlainly(pool), end: () => pool.end() }
    const plain = PostgresAdapter({ pool: minimal })
    expect(await isSignedIn(plain, await signIn(plain))).toBe(true)
    expect(await preparedOn(pool)).toEqual([])
  })

  it('are prepared anew when a table gets a column', async () => {
    const token = await signIn(adapter)
    expect(await isSignedIn(adapter, token)).toBe(true)
    await pool.query("alter table users add column role text default 'member'")
    const found = await adapter.getSessionAndUser(token)
    expect(found?.user).toMatchObject({ role: 'member' })
    const sent = countStatements(pool)
    expect(await isSignedIn(adapter, token)).toBe(true)
    expect(await isSignedIn(adapter, token)).toBe(true)
    expect(sent()).toBe(2)
  })

  it('may be forgotten, which is told once', async () => {
    const warnings = collectWarnings()
    const token = await signIn(adapter)
    expect(await isSignedIn(adapter, token)).toBe(true)
    await pool.query('deallocate all')
    const sent = countStatements(pool)
    expect(await isSignedIn(adapter, token)).toBe(true)
    expect(sent(), 'refused, then sent without a name').toBe(2)
    expect(await isSignedIn(adapter, token)).toBe(true)
    expect(sent(), 'without a name at once').toBe(3)
    expect(await warnings()).toEqual([expect.stringContaining('26000')])
  })

  it('are limited in number, however many sets of columns are written', async () => {
    const columns = Array.from({ length: 8 }, (_, at) => `extra_${at}`)
    await pool.query(`alter table users ${columns.map(name => `add ${name} text`)}`)
    const wide = PostgresAdapter({ pool })
    for (let set = 0; set < 2 ** columns.length; set++) {
      const extra = columns.filter((_, at) => set & (1 << at)).map(name => [name, `in ${name}`])
      const user = { ...sampleUser(), ...Object.fromEntries(extra) }
      expect(await wide.createUser(user)).toMatchObject(user)
    }
    expect((await preparedOn(pool)).length).toBeLessThanOrEqual(200)
  })

  it('pass on every other refusal, and are sent once', async () => {
    const token = await signIn(adapter)
    const { session } = (await adapter.getSessionAndUser(token)) ?? {}
    const sent = countStatements(pool)
    if (!session) throw new Error('nobody is signed in')
    await expect(adapter.createSession(session)).rejects.toMatchObject({ code: '23505' })
    expect(sent()).toBe(1)
    expect(pool.totalCount, 'the connection is kept').toBe(1)
  })

  it('work as soon as the tables are there', async () => {
    const empty = await createPostgresDatabase()
    const late = PostgresAdapter({ url: empty })
    await expect(late.getSessionAndUser('token')).rejects.toMatchObject({ code: '42P01' })
    await late.migrations.apply()
    expect(await late.getSessionAndUser('token')).toBeNull()
    await late.close()
  })
})

describe.skipIf(!POSTGRES_URL)('a connection to PostgreSQL that is lost', () => {
  let url: string
  let admin: pg.Client
  beforeAll(async () => {
    url = await createPostgresDatabase()
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
  })
  afterAll(() => admin.end())

  const others = `from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const untilOneWaits = async () => {
    const question = `select 1 ${others} and wait_event_type = 'Lock'`
    while ((await admin.query(question)).rowCount === 0);
  }

  it('while nobody uses it is replaced', async () => {
    const adapter = PostgresAdapter({ url })
    await adapter.migrations.apply()
    const token = await signIn(adapter)
    await admin.query(`select pg_terminate_backend(pid) ${others}`)
    // The adapter hears of it when its process next looks at its sockets.
    await expect.poll(() => isSignedIn(adapter, token).catch(() => 'lost')).toBe(true)
    await adapter.close()
  })

  it('in the middle of a statement is the error of that statement alone', async () => {
    const wire = await startWire(url)
    const pool = new pg.Pool({ connectionString: wire.url })
    pool.on('error', () => {})
    const adapter = PostgresAdapter({ pool })
    const token = await signIn(adapter)
    await admin.query('begin; lock table sessions in access exclusive mode')
    const failed = expect(adapter.getSessionAndUser(token)).rejects.toThrow('ECONNRESET')
    await untilOneWaits()
    wire.cut()
    await failed
    await admin.query('commit')
    expect(await isSignedIn(adapter, token)).toBe(true)
    await pool.end()
    wire.close()
  })
})

describe.skipIf(!PGBOUNCER_URL)(
  'PostgreSQL behind PgBouncer, which forgets what it prepared',
  () => {
    let adapter: SqlAdapter
    adapterSuite({
      name: 'postgres, through PgBouncer in transaction mode',
      async create() {
        adapter = PostgresAdapter({ url: throughPgbouncer(await createPostgresDatabase()) })
        await adapter.migrations.apply()
        // Nothing is heard through it; see revocations/watch.slow.test.ts.
        const { watch: _, ...revocations } = adapter.revocations
        return { ...adapter, revocations }
      },
    })
    extraMethods('postgres, through PgBouncer in transaction mode', async () => adapter)
    afterAll(() => adapter.close())

    let url: string
    beforeAll(async () => {
      const direct = await createPostgresDatabase()
      url = throughPgbouncer(direct)
      const maker = PostgresAdapter({ url: direct })
      await maker.migrations.apply()
      await maker.close()
      await openSeveral(url)
    })

    it('notices that a statement is on another connection, and goes on without', async () => {
      const warnings = collectWarnings()
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      const careful = PostgresAdapter({ pool })
      const token = await signIn(PostgresAdapter({ pool, preparedStatements: false }))
      for (let check = 0; check < 5; check++) expect(await isSignedIn(careful, token)).toBe(true)
      expect(await warnings()).toEqual([expect.stringContaining('26000')])
      const sent = countStatements(pool)
      for (let check = 0; check < 5; check++) expect(await isSignedIn(careful, token)).toBe(true)
      expect(sent()).toBe(5)
      await pool.end()
    })

    it('notices that another has prepared the statement, and goes on without', async () => {
      const warnings = collectWarnings()
      const pools = Array.from({ length: 5 }, () => new pg.Pool({ connectionString: url, max: 1 }))
      const [first] = pools
      if (!first) throw new Error('there are five')
      const token = await signIn(PostgresAdapter({ pool: first, preparedStatements: false }))
      for (const pool of pools)
        expect(await isSignedIn(PostgresAdapter({ pool }), token)).toBe(true)
      expect(await warnings()).toContainEqual(expect.stringContaining('42P05'))
      for (const pool of pools) await pool.end()
    })

    it('warns of nothing where it is told beforehand', async () => {
      const warnings = collectWarnings()
      const adapter = PostgresAdapter({ url, preparedStatements: false })
      const token = await signIn(adapter)
      for (let check = 0; check < 5; check++) expect(await isSignedIn(adapter, token)).toBe(true)
      expect(await warnings()).toEqual([])
      await adapter.close()
    })
  },
)

function sampleUser() {
  const id = crypto.randomUUID()
  return { id, email: `${id}@example.com`, emailVerified: null }
}

async function signIn(adapter: SqlAdapter): Promise<string> {
  const { id: userId } = await adapter.createUser(sampleUser())
  const sessionToken = crypto.randomUUID()
  const expires = new Date(Date.now() + 3_600_000)
  await adapter.createSession({ sessionToken, userId, expires })
  return sessionToken
}

async function isSignedIn(adapter: SqlAdapter, token: string): Promise<boolean> {
  return (await adapter.getSessionAndUser(token)) !== null
}

async function preparedOn(pool: pg.Pool) {
  const question = 'select name, statement from pg_prepared_statements'
  return (await pool.query<{ name: string; statement: string }>(question)).rows
}

/** Counts what is sent over the one connection of a pool from now on. */
function countStatements(pool: pg.Pool): () => number {
  let count = 0
  const note = (client: pg.PoolClient) => {
    const query = client.query
    client.query = ((...args: unknown[]) => {
      count++
      return Reflect.apply(query, client, args)
    }) as typeof client.query // the same function, after it was counted
    pool.off('acquire', note)
  }
  pool.on('acquire', note)
  return () => count
}

/** The warnings about prepared statements, read after everything else is done. */
function collectWarnings(): () => Promise<string[]> {
  const messages: string[] = []
  const listen = (warning: Error & { code?: string }) => {
    if (warning.code === 'SITEAUTH_PREPARED_STATEMENTS') messages.push(warning.message)
  }
  process.on('warning', listen)
  return async () => {
    // Warnings come in order: after this one, all others have come.
    const last = once(process, 'warning')
    process.emitWarning('the last', 'TestWarning')
    await last
    process.off('warning', listen)
    return messages
  }
}

/** A proxy to the server that can be cut: its clients receive a reset. */
async function startWire(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const onward = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => onward.destroy())
    onward.on('error', () => {}).on('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  // Sound: it listens on a port.
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () => server.close(),
  }
}

/** A client of the pool, for which a statement is a text with values and nothing else. */
async function connectPlainly(pool: pg.Pool) {
  const client = await pool.connect()
  return {
    query(...args: unknown[]) {
      expect(args[0]).toBeTypeOf('string')
      return Reflect.apply(client.query, client, args)
    },
    release: () => client.release(),
  }
}

/** Has PgBouncer open three connections to the server, which it then uses in turn. */
async function openSeveral(url: string): Promise<void> {
  const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }))
  for (const client of clients) {
    await client.connect()
    await client.query('begin')
  }
  for (const client of clients) {
    await client.query('commit')
    await client.end()
  }
}
