// A session in each kind of store, read with its user from the cookie of a request, and whether that
// depends on how many are stored: the cost must not grow with their number. The limit is what the store
// itself needs for the least of the tables: one prepared join, or for Redis two commands.
//
// npm run bench -- database            1 thousand and 100 thousand sessions
// SESSIONS=1000,1000000 npm run bench -- database
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MysqlAdapter } from '@siteauth/adapters/mysql'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import { createAuth } from '@siteauth/core'
import { Redis } from 'ioredis'
import { SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { openSqlite } from '../packages/adapters/dist/lib/sql/sqlite/open-sqlite.js'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'

const SIZES = (process.env.SESSIONS ?? '1000,100000').split(',').map(Number)
const rounds = Number(process.env.ROUNDS ?? 21)
const BATCH = 5000
/** How many users are added to Redis at once. */
const AT_ONCE = 200
const EXPIRES = new Date(Date.now() + 30 * 24 * 3_600_000)
/** So that nothing is touched that is there already. */
const OWN = `bench_${process.pid}_${Date.now()}`
const JOIN = `select s.expires, u.id, u.name, u.email, u.image
  from sessions s join users u on u.id = s."userId" where s."sessionToken" = `

const { PostgreSQL, MariaDB, Redis: RedisServer } = SERVICES
const services = { PostgreSQL, MariaDB, Redis: RedisServer }
const { variables, stop } = await prepareServices(services)
const stores = {
  'SQLite file': openSqliteStore,
  ...storeOf(PostgreSQL, url => ({ PostgreSQL: size => openPostgresStore(url, size) })),
  ...storeOf(MariaDB, url => ({ MariaDB: size => openMysqlStore(url, size) })),
  ...storeOf(RedisServer, url => ({ Redis: size => openRedisStore(url, size) })),
}
const absent = Object.keys(services).filter(name => !variables[services[name].variable])

expectParts(Object.keys(stores).length)
const rows = []
for (const [name, open] of Object.entries(stores)) rows.push(...(await measureStore(name, open)))
await stop()
report('database-session', {
  title: 'A session in a store, by how many there are',
  note: `One after the other, on this machine, each time another of the sessions. Limit: the bare query with ${words(SIZES[0])} of them.${absent.length > 0 ? ` Not measured, since it is not installed: ${absent.join(', ')}.` : ''}`,
  rows,
  columns: timeColumns,
  bars: timeBars,
})

function storeOf({ variable }, make) {
  return variables[variable] ? make(variables[variable]) : {}
}

/** All sizes are there at the same time, so that they are measured in the same rounds. */
async function measureStore(name, open) {
  const opened = []
  try {
    for (const size of SIZES) {
      const store = await open(size)
      opened.push({ size, ...store })
      for (let from = 0; from < size; from += BATCH) {
        await store.fill(from, Math.min(size, from + BATCH))
      }
      await store.settle?.()
    }
    return await measure(
      [
        ...opened.map(({ size, find }) => ({
          name: `${name}, bare query, ${words(size)}`,
          run: async () => {
            if (!(await find(randomToken(size)))) throw new Error('nobody')
          },
        })),
        ...opened.map(({ size, adapter }) => ({
          name: `${name}, SiteAuth, ${words(size)}`,
          ours: true,
          run: sessionCheck(adapter, size),
        })),
      ],
      { rounds },
    )
  } finally {
    for (const { close } of opened) await close()
  }
}

function sessionCheck(adapter, size) {
  const secret = 'a secret of at least thirty-two characters'
  const auth = createAuth({ secret, trustHost: true, providers: [], adapter }, { env: {} })
  return async () => {
    const cookie = `authjs.session-token=${randomToken(size)}`
    if (!(await auth.getSession({ headers: { cookie } }))) throw new Error('nobody')
  }
}

function randomToken(size) {
  return tokenOf(Math.floor(Math.random() * size))
}

function tokenOf(n) {
  return `session-${n}`
}

function userOf(n) {
  return { id: `user-${n}`, name: `User ${n}`, email: `${n}@example.com` }
}

function words(size) {
  return size.toLocaleString('en').replaceAll(',', ' ')
}

async function openSqliteStore() {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
  const database = await openSqlite(join(folder, 'auth.db'))
  const adapter = SqliteAdapter({ dialect: new SqliteDialect({ database }) })
  await adapter.migrations.apply()
  const numbers = `with recursive numbers(n) as
    (select cast(? as integer) union all select n + 1 from numbers where n + 1 < ?)`
  const users = database.prepare(`insert into users (id, name, email) ${numbers}
    select 'user-' || n, 'User ' || n, n || '@example.com' from numbers`)
  const sessions =
    database.prepare(`insert into sessions ("sessionToken", "userId", expires) ${numbers}
    select 'session-' || n, 'user-' || n, '${EXPIRES.toISOString()}' from numbers`)
  const query = database.prepare(`${JOIN}?`)
  return {
    adapter,
    find: token => query.all([token])[0],
    fill(from, to) {
      users.run([from, to])
      sessions.run([from, to])
    },
    close() {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function openPostgresStore(connectionString, size) {
  const schema = `${OWN}_${size}`
  const pool = new pg.Pool({ connectionString, max: 4, options: `-c search_path=${schema}` })
  await pool.query(`create schema ${schema}`)
  const adapter = PostgresAdapter({ pool })
  await adapter.migrations.apply()
  return {
    adapter,
    find: async token =>
      (await pool.query({ name: 'bare', text: `${JOIN}$1`, values: [token] })).rows[0],
    async fill(from, to) {
      const numbers = `generate_series(${from}, ${to - 1}) n`
      await pool.query(`insert into users (id, name, email)
        select 'user-' || n, 'User ' || n, n || '@example.com' from ${numbers}`)
      await pool.query(`insert into sessions ("sessionToken", "userId", expires)
        select 'session-' || n, 'user-' || n, '${EXPIRES.toISOString()}' from ${numbers}`)
    },
    async settle() {
      await pool.query('vacuum analyze users')
      await pool.query('vacuum analyze sessions')
    },
    async close() {
      await pool.query(`drop schema ${schema} cascade`)
      await pool.end()
    },
  }
}

async function openMysqlStore(url, size) {
  const name = `${OWN}_${size}`
  const uri = new URL(url)
  uri.pathname = name
  const first = mysql.createConnection(url).promise()
  await first.query(`create database ${name} character set utf8mb4`)
  await first.end()
  const pool = mysql.createPool({ uri: uri.href, timezone: 'Z' })
  const promises = pool.promise()
  const adapter = MysqlAdapter({ pool })
  await adapter.migrations.apply()
  const query = `${JOIN}?`.replaceAll('"', '`')
  return {
    adapter,
    find: async token => (await promises.execute(query, [token]))[0][0],
    async fill(from, to) {
      const numbers = Array.from({ length: to - from }, (_, index) => from + index)
      const users = numbers.map(n => Object.values(userOf(n)))
      const sessions = numbers.map(n => [tokenOf(n), userOf(n).id, EXPIRES])
      await promises.query('insert into users (id, name, email) values ?', [users])
      await promises.query('insert into sessions (sessionToken, userId, expires) values ?', [
        sessions,
      ])
    },
    settle: () => promises.query('analyze table users, sessions'),
    async close() {
      await promises.query(`drop database ${name}`)
      await promises.end()
    },
  }
}

async function openRedisStore(url, size) {
  const prefix = `${OWN}_${size}:`
  const client = new Redis(url)
  const adapter = RedisAdapter({ client, prefix })
  return {
    adapter,
    async find(token) {
      const { userId } = JSON.parse(await client.get(`${prefix}session:${token}`))
      return client.hgetall(`${prefix}{${userId}}:user`)
    },
    async fill(from, to) {
      for (let first = from; first < to; first += AT_ONCE) {
        const numbers = Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, at) => first + at)
        await Promise.all(
          numbers.map(async n => {
            const user = { ...userOf(n), emailVerified: null }
            await adapter.createUser(user)
            const session = { sessionToken: tokenOf(n), userId: user.id, expires: EXPIRES }
            await adapter.createSession(session)
          }),
        )
      }
    },
    async close() {
      for await (const keys of client.scanStream({ match: `${prefix}*`, count: BATCH })) {
        if (keys.length > 0) await client.unlink(keys)
      }
      await client.quit()
    },
  }
}
