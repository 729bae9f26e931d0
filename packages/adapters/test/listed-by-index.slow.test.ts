import { CompiledQuery, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { MysqlAdapter, type SqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

// Ten thousand sessions, of which one user has two thousand, all older than those of the others: an index on `expires` alone
// finds them last.

const OLD = 2_000
const OTHERS = 8_000
const LISTED = 100
const DAY = 86_400_000

interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

type Row = Record<string, unknown>

interface Store {
  readonly isThere: boolean
  readonly open: (
    log: (event: { readonly query: Query }) => void,
  ) => Promise<{ kysely: Kysely<unknown>; adapter: SqlAdapter; run?: Run }>
  /** Makes the planner know what is in the tables. */
  readonly analyze: (table: string) => string
  /** How the statement was executed: the index, and the number of rows read. */
  readonly explain: (run: Run, query: Query) => Promise<{ index: unknown; rows: number }>
}

type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Row[]>

const stores: Readonly<Record<string, Store>> = {
  PostgreSQL: {
    isThere: POSTGRES_URL !== undefined,
    async open(log) {
      const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
      const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), log })
      return { kysely, adapter: PostgresAdapter({ kysely }) }
    },
    analyze: table => `vacuum analyze ${table}`,
    async explain(run, { sql, parameters }) {
      const [row] = await run(`explain (analyze, format json) ${sql}`, parameters)
      // Sound: what PostgreSQL documents of this format.
      const [{ Plan }] = Object(row)['QUERY PLAN'] as [{ Plan: Plan }]
      const scan = findScan(Plan)
      const removed = Number(scan['Rows Removed by Filter'] ?? 0)
      return { index: scan['Index Name'], rows: Number(scan['Actual Rows']) + removed }
    },
  },
  MariaDB: {
    isThere: MYSQL_URL !== undefined,
    async open(log) {
      const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' })
      const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }), log })
      return { kysely, adapter: MysqlAdapter({ kysely }) }
    },
    analyze: table => `analyze table ${table}`,
    async explain(run, { sql, parameters }) {
      const [row] = await run(`analyze ${sql}`, parameters)
      return { index: row?.['key'], rows: Number(row?.['r_rows']) }
    },
  },
  SQLite: {
    isThere: true,
    async open(log) {
      const database = await openSqlite(':memory:')
      const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }), log })
      // Kysely asks the driver whether a statement returns rows, which does not expect it of this one.
      const run: Run = async (sql, parameters = []) => {
        const rows = database.prepare(sql).all(parameters)
        return rows as Row[] // rows are objects
      }
      return { kysely, adapter: SqliteAdapter({ kysely }), run }
    },
    analyze: table => `analyze ${table}`,
    async explain(run, { sql, parameters }) {
      const plan = await run(`explain query plan ${sql}`, parameters)
      const details = plan.map(row => String(row['detail'])).join()
      // It reads all rows of the user if it has to sort them.
      const [, index] = /USING INDEX (\S+)/.exec(details) ?? []
      return { index, rows: details.includes('TEMP B-TREE') ? OLD : LISTED }
    },
  },
}

type Plan = Row & { readonly Plans?: readonly Plan[] }

function findScan(plan: Plan): Plan {
  const [inner] = plan.Plans ?? []
  return inner ? findScan(inner) : plan
}

const TABLES = {
  sessions: {
    key: 'sessionToken',
    list: (adapter: SqlAdapter) => adapter.listSessions('old', LISTED),
  },
  tracked_sessions: {
    key: 'id',
    list: (adapter: SqlAdapter) => adapter.trackedSessions.list('old', LISTED),
  },
} as const

interface Filling {
  readonly userId: string
  readonly count: number
  /** When the first one expires. */
  readonly end: Date
  /** Around the names of columns. */
  readonly quote: string
}

/** Stores sessions of a user that end after one another. */
async function fill(
  run: Run,
  table: keyof typeof TABLES,
  { userId, count, end, quote }: Filling,
): Promise<void> {
  for (let at = 0; at < count; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, number) => {
      const [date] = new Date(end.getTime() + (at + number) * 1_000).toISOString().split('Z')
      return `('${crypto.randomUUID()}', '${userId}', '${date}')`
    })
    const { key } = TABLES[table]
    const columns = [key, 'userId', 'expires'].map(column => quote + column + quote).join(', ')
    await run(`insert into ${table} (${columns}) values ${rows.join(', ')}`)
  }
}

for (const [name, { isThere, open, analyze, explain }] of Object.entries(stores)) {
  const quote = name === 'MariaDB' ? '`' : '"'
  describe.skipIf(!isThere)(`the devices of a user with many old sessions in ${name}`, () => {
    it.each(['sessions', 'tracked_sessions'] as const)(
      'are found by user and expiry: %s',
      async table => {
        const queries: Query[] = []
        const { kysely, adapter, ...opened } = await open(({ query }) => void queries.push(query))
        const send: Run = async (sql, parameters = []) => {
          const { rows } = await kysely.executeQuery(CompiledQuery.raw(sql, [...parameters]))
          return rows as Row[] // of whatever was asked for
        }
        const run = opened.run ?? send
        await adapter.migrations.apply()
        for (const id of ['old', 'others']) {
          await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
        }
        const now = Date.now()
        await fill(run, table, { userId: 'others', count: OTHERS, end: new Date(now + DAY), quote })
        await fill(run, table, { userId: 'old', count: OLD, end: new Date(now - DAY), quote })
        await run(analyze(table))
        queries.length = 0
        await TABLES[table].list(adapter)
        const query = queries.find(({ sql }) => sql.includes('order by expires desc'))
        if (!query) throw new Error('the statement was not sent')
        const { index, rows } = await explain(run, query)
        expect(index).toBe(`${table}_userId_expires_idx`)
        expect(rows).toBeLessThanOrEqual(LISTED)
        await adapter.close()
        await kysely.destroy()
      },
    )
  })
}
