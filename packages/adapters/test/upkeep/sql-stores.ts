import { Kysely, type LogEvent, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import { MysqlAdapter, type SqlAdapter, type SqlAdapterOptions } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from '../servers.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const RULE = { burst: 1, refillSeconds: 60 }

/** The tables of which expired rows are removed. */
export const EXPIRING = [
  'sessions',
  'verification_token',
  'tracked_sessions',
  'revocations',
  'limits',
] as const

/** A database with our tables, which several adapters may share. */
export interface SqlStore {
  readonly adapter: SqlAdapter
  readonly kysely: Kysely<unknown>
  /** What was sent to it. */
  readonly statements: string[]
  /** Opens another adapter, as another process would. */
  readonly open: (options?: SqlAdapterOptions) => SqlAdapter
  readonly count: (table: string) => Promise<number>
}

export const SQL_STORES: readonly {
  readonly name: string
  readonly isThere: boolean
  readonly prepare: (options?: SqlAdapterOptions) => Promise<SqlStore>
}[] = [
  {
    name: 'SQLite',
    isThere: true,
    async prepare(options) {
      const database = await openSqlite(':memory:')
      const dialect = new SqliteDialect({ database })
      return prepared(dialect, (kysely, given) => SqliteAdapter({ kysely, ...given }), options)
    },
  },
  {
    name: 'PostgreSQL',
    isThere: POSTGRES_URL !== undefined,
    async prepare(options) {
      const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
      const dialect = new PostgresDialect({ pool })
      return prepared(dialect, (kysely, given) => PostgresAdapter({ kysely, ...given }), options)
    },
  },
  {
    name: 'MariaDB',
    isThere: MYSQL_URL !== undefined,
    async prepare(options) {
      const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' })
      const dialect = new MysqlDialect({ pool })
      return prepared(dialect, (kysely, given) => MysqlAdapter({ kysely, ...given }), options)
    },
  },
]

async function prepared(
  dialect: PostgresDialect | MysqlDialect | SqliteDialect,
  openAdapter: (kysely: Kysely<unknown>, options?: SqlAdapterOptions) => SqlAdapter,
  options?: SqlAdapterOptions,
): Promise<SqlStore> {
  const statements: string[] = []
  const log = ({ query }: LogEvent) => void statements.push(query.sql)
  const kysely = new Kysely<unknown>({ dialect, log })
  const open = (given?: SqlAdapterOptions) => openAdapter(kysely, given)
  const adapter = open(options)
  await adapter.migrations.apply()
  return {
    ...{ adapter, kysely, statements, open },
    count: table => countRows(kysely, table),
  }
}

export async function countRows(kysely: Kysely<unknown>, table: string): Promise<number> {
  const counted = sql<{ many: unknown }>`select count(*) as many from ${sql.table(table)}`
  return Number((await counted.execute(kysely)).rows[0]?.many)
}

/** Stores attempts that were over so many milliseconds ago. */
export async function addOldAttempts(kysely: Kysely<unknown>, many: number, ago: number) {
  const row = (at: number) => `('old-${at}', 1, 0, ${Date.now() - ago - at})`
  await insert(kysely, 'limits', ['limitKey', 'attempts', 'notBefore', 'expires'], many, row)
}

/** Stores ended sessions that were over so many milliseconds ago. */
export async function addOldRevocations(kysely: Kysely<unknown>, many: number, ago: number) {
  const row = (at: number) => `('s:old-${at}', ${Date.now() - ago - at}, 0)`
  await insert(kysely, 'revocations', ['revocationKey', 'expires', 'changed'], many, row)
}

async function insert(
  kysely: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  many: number,
  row: (at: number) => string,
): Promise<void> {
  const names = sql.join(columns.map(each => sql.id(each)))
  const rows = Array.from({ length: many }, (_, at) => row(at)).join()
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.raw(rows)}`.execute(kysely)
}

/** Adds rows to every table of {@link EXPIRING}: so many that are over, and one that is not, by the name `live`. */
export async function addRows({ adapter, kysely }: SqlStore, many: number): Promise<string> {
  const [past, future] = [new Date(Date.now() - 2 * DAY), new Date(Date.now() + DAY)]
  const user = { id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null }
  const { id: userId } = await adapter.createUser(user)
  const add = async (name: string, expires: Date) => {
    await adapter.createSession({ sessionToken: name, userId, expires })
    await adapter.createVerificationToken({ identifier: 'ada@example.com', token: name, expires })
    await adapter.trackedSessions.add({ id: `s:${name}`, userId, expires })
  }
  for (let at = 0; at < many; at += 1) await add(`old-${at}`, past)
  await add('live', future)
  await addOldAttempts(kysely, many, 2 * DAY)
  await adapter.limiter.take('live', RULE, Date.now())
  await addOldRevocations(kysely, many, 2 * DAY)
  await adapter.revocations.end([{ key: 's:ended', until: future }])
  return userId
}
