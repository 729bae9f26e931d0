// How many sessions a second can be looked up, with the user of each, and whether that depends on
// how many are stored: the cost must not grow with their number.
//
// npm run bench -- database            1 thousand and 100 thousand sessions
// SESSIONS=1000,1000000 npm run bench -- database
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import { Redis } from 'ioredis'
import { Kysely, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { openSqlite } from '../packages/adapters/dist/lib/sql/open-sqlite.js'
import { prepareServices, SERVICES } from '../tools/services.mjs'

const SIZES = (process.env.SESSIONS ?? '1000,100000').split(',').map(Number)
const AT_ONCE = 32
const MEASURED_MS = 2000
const BATCH = 5000
const EXPIRES = new Date(Date.now() + 30 * 24 * 3_600_000)

const { PostgreSQL, Redis: RedisServer } = SERVICES
const { variables, missing, stop } = await prepareServices({ PostgreSQL, Redis: RedisServer })
for (const sentence of missing) console.log(sentence)
console.log('| store | sessions | checks/s, 32 at once | µs, one after the other |')
console.log('|---|---|---|---|')
await measureStore('SQLite (file)', openSqliteStore())
if (variables.TEST_POSTGRES_URL) {
  await measureStore('PostgreSQL', openPostgresStore(variables.TEST_POSTGRES_URL))
}
if (variables.TEST_REDIS_URL) {
  await measureStore('Redis', openRedisStore(variables.TEST_REDIS_URL))
}
await stop()

async function measureStore(name, opening) {
  const { adapter, fill, close } = await opening
  let stored = 0
  for (const size of SIZES) {
    await fill(stored, size)
    stored = size
    const check = async () => {
      const token = tokenOf(Math.floor(Math.random() * size))
      if (!(await adapter.getSessionAndUser(token))) throw new Error(`${token} is not there`)
    }
    await countChecks(check, AT_ONCE, 300) // warm up
    const together = await countChecks(check, AT_ONCE, MEASURED_MS)
    const alone = await countChecks(check, 1, MEASURED_MS)
    const figures = [size, together.toFixed(0), (1e6 / alone).toFixed(0)]
    console.log(`| ${name} | ${figures.join(' | ')} |`)
  }
  await close()
}

/** Checks per second. */
async function countChecks(check, atOnce, milliseconds) {
  const started = performance.now()
  let checks = 0
  const work = async () => {
    while (performance.now() - started < milliseconds) {
      await check()
      checks++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return (checks * 1000) / (performance.now() - started)
}

async function openSqliteStore() {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
  const database = await openSqlite(join(folder, 'auth.db'))
  const kysely = new Kysely({ dialect: new SqliteDialect({ database }) })
  const adapter = SqliteAdapter({ kysely })
  await adapter.migrations.apply()
  const numbers = (from, to) => sql`with recursive numbers(n) as
    (select cast(${from} as integer) union all select n + 1 from numbers where n + 1 < ${to})`
  return {
    adapter,
    async fill(from, to) {
      await sql`insert into users (id, name, email) ${numbers(from, to)}
        select 'user-' || n, 'User ' || n, n || '@example.com' from numbers`.execute(kysely)
      await sql`insert into sessions ("sessionToken", "userId", expires) ${numbers(from, to)}
        select 'session-' || n, 'user-' || n, ${EXPIRES.toISOString()} from numbers`.execute(kysely)
    },
    async close() {
      await kysely.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

async function openPostgresStore(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 10 })
  const adapter = PostgresAdapter({ pool })
  await adapter.migrations.apply()
  return {
    adapter,
    async fill(from, to) {
      await pool.query(
        `insert into users (id, name, email)
          select 'user-' || n, 'User ' || n, n || '@example.com'
          from generate_series(${from}, ${to - 1}) n`,
      )
      await pool.query(
        `insert into sessions ("sessionToken", "userId", expires)
          select 'session-' || n, 'user-' || n, '${EXPIRES.toISOString()}'
          from generate_series(${from}, ${to - 1}) n`,
      )
      await pool.query('vacuum analyze users')
      await pool.query('vacuum analyze sessions')
    },
    close: () => pool.end(),
  }
}

async function openRedisStore(url) {
  const client = new Redis(url)
  const adapter = RedisAdapter({ client })
  return {
    adapter,
    async fill(from, to) {
      for (let at = from; at < to; at += BATCH) {
        const batch = Array.from({ length: Math.min(BATCH, to - at) }, (_, index) => at + index)
        // Many calls in one tick travel together.
        await Promise.all(
          batch.map(async n => {
            const user = { id: `user-${n}`, name: `User ${n}`, email: `${n}@example.com` }
            await adapter.createUser({ ...user, emailVerified: null })
            const session = { sessionToken: tokenOf(n), userId: user.id, expires: EXPIRES }
            await adapter.createSession(session)
          }),
        )
      }
    },
    close: () => client.quit(),
  }
}

function tokenOf(n) {
  return `session-${n}`
}
