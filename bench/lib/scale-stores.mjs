// Stores with so many users, and what their statements read: for bench/scale.mjs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MysqlAdapter } from '@siteauth/adapters/mysql'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import { Redis } from 'ioredis'
import { Kysely, MysqlDialect, SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { openSqlite } from '../../packages/adapters/dist/lib/sql/sqlite/open-sqlite.js'
import { MANY } from '../../packages/adapters/test/plans/every-call.mjs'
import { fillMany, fillStatements, WRITING } from '../../packages/adapters/test/plans/fill.mjs'
import { isPlanned, planPostgres } from '../../packages/adapters/test/plans/postgres-plans.mjs'

const DAY = 86_400_000
/** So many rows are added by one statement, and so many users at once to Redis. */
const [BATCH, AT_ONCE] = [20_000, 200]
/** A page of the log is full, however few users there are. */
const LEAST_LOG = 5000
const TABLES =
  'users, accounts, sessions, tracked_sessions, authenticators, passwords, verification_token, revocations, limits'

/** @typedef {{ sql: string, name: string, rows: number, buffers?: number, searches?: number, more?: number, scans: string[] }} Statement */

/** A new database of its own on a PostgreSQL server, and what its statements read. */
export async function createPostgres(server, isMeant) {
  const { name, url } = newDatabase(server)
  await sendToPostgres(server, `create database ${name}`)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  let plans = null
  planPostgres(
    pool,
    plan => plans?.push(plan),
    () => plans !== null,
    isMeant,
  )
  return {
    pool,
    async plansOf(act) {
      const seen = []
      plans = seen
      try {
        await act()
      } finally {
        plans = null
      }
      return joined(await withIndexes(pool, seen))
    },
    async close() {
      await pool.end()
      await sendToPostgres(server, `drop database ${name}`)
    },
  }
}

/** Ours, in PostgreSQL. */
export async function openPostgres(server, size) {
  const { pool, plansOf, close } = await createPostgres(server)
  const adapter = PostgresAdapter({ pool })
  await adapter.migrations.apply()
  await fill(WRITING.PostgreSQL, size, text => pool.query(text))
  await pool.query('vacuum analyze')
  return { adapter, plansOf, close }
}

export async function openMysql(server, size) {
  const { name, url } = newDatabase(server)
  const admin = await mysql.createConnection({ uri: server }).promise()
  await admin.query(`create database ${name} character set utf8mb4`)
  await admin.query(`use ${name}`)
  await admin.query(`set sql_mode = concat(@@sql_mode, ',ANSI')`)
  const pool = mysql.createPool({ uri: url, timezone: 'Z', connectionLimit: 4 })
  const explaining = await mysql.createConnection({ uri: url, timezone: 'Z' }).promise()
  let seen = null
  const dialect = new MysqlDialect({ pool: { ...watched(pool, text => seen?.push(text)) } })
  const adapter = MysqlAdapter({ kysely: new Kysely({ dialect }) })
  await adapter.migrations.apply()
  await fill(WRITING.MariaDB, size, text => admin.query(text))
  await admin.query(`analyze table ${TABLES}`)
  return {
    adapter,
    async plansOf(act) {
      const sent = []
      seen = sent
      await act()
      seen = null
      const plans = []
      for (const { sql, values, rows } of sent) {
        const [tables] = await explaining.query(`explain ${sql}`, values)
        plans.push({ sql, rows, scans: tables.flatMap(mysqlScan) })
      }
      return joined(plans)
    },
    async close() {
      await pool.promise().end()
      await explaining.end()
      await admin.query(`drop database ${name}`)
      await admin.end()
    },
  }
}

/** The same pool, which says how many rows the statements on its connections have read. */
function watched(pool, use) {
  const read = rows => rows.reduce((all, { Value: value }) => all + Number(value), 0)
  const watch = connection => ({
    connection: connection.connection,
    on: connection.on.bind(connection),
    release: () => connection.release(),
    query(sql, values, then) {
      if (!isPlanned(sql)) return connection.query(sql, values, then)
      connection.query('flush status')
      connection.query(sql, values, (error, result) => {
        connection.query(`show session status like 'Handler_read_%'`, (_, status) => {
          if (!error) use({ sql, values, rows: read(status) })
          then(error, result)
        })
      })
    },
  })
  return {
    getConnection: then =>
      pool.getConnection((error, connection) => then(error, connection && watch(connection))),
    end: then => pool.end(then),
  }
}

function mysqlScan({ select_type, table, type, key }) {
  if (select_type === 'INSERT' || table === null || table.startsWith('<')) return []
  return type === 'ALL' || type === 'index' ? [`${table} by ${key}`] : []
}

export async function openSqliteStore(_, size) {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
  const database = await openSqlite(join(folder, 'auth.db'))
  const explaining = await openSqlite(':memory:')
  await SqliteAdapter({ dialect: new SqliteDialect({ database: explaining }) }).migrations.apply()
  let seen = null
  const log = ({ query: { sql, parameters } }) => isPlanned(sql) && seen?.push({ sql, parameters })
  const kysely = new Kysely({ dialect: new SqliteDialect({ database }), log })
  const adapter = SqliteAdapter({ kysely })
  await adapter.migrations.apply()
  await fill(WRITING.SQLite, size, async text => database.prepare(text).run([]))
  return {
    adapter,
    async plansOf(act) {
      const sent = []
      seen = sent
      await act()
      seen = null
      return joined(
        sent.map(({ sql, parameters }) => {
          const steps = explaining.prepare(`explain query plan ${sql}`).iterate([...parameters])
          return { sql, rows: 0, scans: sqliteScans([...steps].map(({ detail }) => detail)) }
        }),
      )
    },
    async close() {
      await kysely.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

function sqliteScans(details) {
  const made = details.flatMap(
    detail => /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(detail)?.[1] ?? [],
  )
  return details.filter(detail => {
    const [, name] = /^SCAN (\S+)/.exec(detail) ?? []
    const isRow = /^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?)|VIRTUAL TABLE/.test(detail)
    return name !== undefined && !isRow && !made.includes(name)
  })
}

/** Of Redis, the commands are counted, also those that scripts send: none of them scans. */
export async function openRedisStore(server, size) {
  const prefix = `bench-${process.pid}-${size}:`
  const [client, admin] = [new Redis(server), new Redis(server)]
  const adapter = RedisAdapter({ client, prefix })
  for (let from = 0; from < size; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, at) => from + at)
    await Promise.all(numbers.map(n => addUser(adapter, n)))
  }
  await addMany(adapter)
  return {
    adapter,
    async plansOf(act) {
      await admin.config('RESETSTAT')
      await act()
      const stats = await admin.info('commandstats')
      const counts = [...stats.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)]
        .map(([, name, calls]) => ({ name, calls: Number(calls) }))
        .filter(({ name }) => !/^(config|info|client)/.test(name))
      const rows = counts.reduce((all, { calls }) => all + calls, 0)
      const scans = counts.map(({ name }) => name).filter(name => /^(keys|scan)$/.test(name))
      return [{ sql: 'all commands', name: 'all commands', rows, scans }]
    },
    async close() {
      for await (const keys of admin.scanStream({ match: `${prefix}*`, count: 5000 })) {
        if (keys.length > 0) await admin.unlink(keys)
      }
      await Promise.all([client.quit(), admin.quit()])
    },
  }
}

async function addUser(adapter, n) {
  const userId = `user-${n}`
  const expires = new Date(Date.now() + (10 + (n % 20)) * DAY)
  await adapter.createUser({
    id: userId,
    name: `User ${n}`,
    email: `${n}@example.com`,
    emailVerified: null,
  })
  const account = { provider: 'google', providerAccountId: `google-${n}`, access_token: 'token' }
  await adapter.linkAccount({ ...account, userId, type: 'oauth' })
  for (const k of [0, 1, 2]) {
    await adapter.createSession({ sessionToken: `session-${n}-${k}`, userId, expires })
    await adapter.trackedSessions.add({ id: `tracked-${n}-${k}`, userId, expires })
  }
  await adapter.passwords.set({ userId, hash: 'hash', changedAt: new Date() })
  await adapter.createAuthenticator({
    userId,
    credentialID: `credential-${n}`,
    providerAccountId: `credential-${n}`,
    counter: 0,
    credentialPublicKey: 'public',
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
  })
  const identifier = `${n}@example.com`
  await adapter.createVerificationToken({ identifier, token: `token-${n}`, expires })
  const key = `s:0000000000000000${10 ** 15 + n}`
  await adapter.revocations.end([{ key, until: expires }])
}

async function addMany(adapter) {
  const user = { id: MANY, name: 'Many', email: 'many@example.com', emailVerified: null }
  await adapter.createUser(user)
  const expires = new Date(Date.now() + DAY)
  for (let n = 0; n < 3000; n += AT_ONCE) {
    const tokens = Array.from({ length: AT_ONCE }, (_, at) => `many-${n + at}`)
    await Promise.all(
      tokens.map(sessionToken => adapter.createSession({ sessionToken, userId: MANY, expires })),
    )
  }
}

async function fill(writing, size, send) {
  for (let from = 0; from < size; from += BATCH) {
    const to = Math.min(size, from + BATCH)
    const entriesTo = to === size ? Math.max(to, LEAST_LOG) : to
    for (const text of fillStatements(writing, from, to, entriesTo)) await send(text)
  }
  for (const text of fillMany(writing)) await send(text)
}

/** The statements of one call by their order, each once: with what the longest of the same text has read. */
function joined(plans) {
  const bySql = new Map()
  for (const plan of plans) {
    const existing = bySql.get(plan.sql)
    if (!existing || plan.rows > existing.rows) bySql.set(plan.sql, plan)
  }
  return [...bySql.values()].map(plan => ({ ...plan, name: briefly(plan.sql) }))
}

function briefly(sql) {
  const text = sql.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()
  return text.length > 70 ? `${text.slice(0, 70)}…` : text
}

/** How many buffers more a statement may read of a larger table: two for each index that it searches or adds to. */
async function withIndexes(pool, plans) {
  const { rows } = await pool.query(
    'select tablename, count(*) as count from pg_indexes group by tablename',
  )
  const counts = new Map(rows.map(row => [row.tablename, Number(row.count)]))
  return plans.map(({ searches, writes, ...plan }) => {
    const added = writes.reduce((all, { table, rows }) => all + rows * (counts.get(table) ?? 1), 0)
    return { ...plan, searches, more: 2 * (searches + added) }
  })
}

async function sendToPostgres(connectionString, text) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

function newDatabase(server) {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = name
  return { name, url: url.href }
}
