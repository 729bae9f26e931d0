import { Kysely, type LogEvent, MysqlDialect, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import { MysqlAdapter, type SqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from '../servers.ts'
import { CALLS, methodsOf, WITHOUT_STATEMENTS } from './every-call.mjs'
import { fillMany, fillStatements, WRITING } from './fill.mjs'
import { isPlanned, type PostgresPlan, planPostgres } from './postgres-plans.mjs'

const USERS = 10_000
/** What one statement reads at most: a page of the log, or of sessions. */
const MAX_ROWS = 1100

interface Plan extends Pick<PostgresPlan, 'sql' | 'scans'> {
  /** Undefined if the database does not say. */
  readonly rows?: number
}

interface Opened {
  readonly adapter: SqlAdapter
  readonly send: (text: string) => Promise<unknown>
  /** The plan of each statement that was sent while that ran. */
  readonly plansOf: (act: () => Promise<unknown>) => Promise<readonly Plan[]>
  readonly close: () => Promise<unknown>
}

interface Store {
  readonly isThere: boolean
  readonly writing: (typeof WRITING)['SQLite']
  readonly settle: readonly string[]
  readonly open: () => Promise<Opened>
}

const STORES: Record<string, Store> = {
  PostgreSQL: {
    isThere: POSTGRES_URL !== undefined,
    writing: WRITING.PostgreSQL,
    settle: ['vacuum analyze'],
    open: openPostgres,
  },
  MariaDB: {
    isThere: MYSQL_URL !== undefined,
    writing: WRITING.MariaDB,
    settle: [
      `analyze table users, accounts, sessions, tracked_sessions, authenticators, passwords, verification_token,
        revocations, limits`,
    ],
    open: openMysql,
  },
  SQLite: { isThere: true, writing: WRITING.SQLite, settle: [], open: openSqliteStore },
}

for (const [name, { isThere, writing, settle, open }] of Object.entries(STORES)) {
  describe.skipIf(!isThere)(`the statements sent to ${name}, with 10,000 users`, () => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open()
      await opened.adapter.migrations.apply()
      for (const text of fillStatements(writing, 0, USERS)) await opened.send(text)
      for (const text of [...fillMany(writing), ...settle]) await opened.send(text)
    })
    afterAll(() => opened.close())

    it('are those of all methods', () => {
      const called = new Set([...Object.keys(CALLS), ...Object.keys(WITHOUT_STATEMENTS)])
      expect(methodsOf(opened.adapter).filter(method => !called.has(method))).toEqual([])
    })

    it('read by an index, and no more than a page each', async () => {
      const wrong: string[] = []
      for (const [index, [method, call]] of Object.entries(CALLS).entries()) {
        const plans = await opened.plansOf(() => call(opened.adapter, 1000 + index))
        expect(plans.length, `statements of ${method}`).toBeGreaterThan(0)
        for (const { sql: text, scans, rows = 0 } of plans) {
          if (scans.length > 0) wrong.push(`${method} scans ${scans}: ${text}`)
          if (rows > MAX_ROWS) wrong.push(`${method} reads ${rows} rows: ${text}`)
        }
      }
      expect(wrong).toEqual([])
    })
  })
}

async function openPostgres(): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
  let plans: PostgresPlan[] | null = null
  planPostgres(
    pool,
    plan => plans?.push(plan),
    () => plans !== null,
  )
  return {
    adapter: PostgresAdapter({ pool }),
    send: text => pool.query(text),
    async plansOf(act) {
      const seen: PostgresPlan[] = []
      plans = seen
      await act()
      plans = null
      return seen
    },
    close: () => pool.end(),
  }
}

async function openMysql(): Promise<Opened> {
  const uri = await createMysqlDatabase()
  const pool = mysql.createPool({ uri, timezone: 'Z' })
  const sent = sentStatements()
  const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }), log: sent.log })
  const connection = await mysql.createConnection(uri).promise()
  const admin = await mysql.createConnection(uri).promise()
  await admin.query(`set sql_mode = concat(@@sql_mode, ',ANSI')`)
  return {
    adapter: MysqlAdapter({ kysely }),
    send: text => admin.query(text),
    async plansOf(act) {
      const statements = await sent.during(act)
      const plans = statements.map(async ({ sql: text, parameters }) => {
        const [rows] = await connection.query(`explain ${text}`, [...parameters])
        // Sound: what `explain` resolves to.
        return { sql: text, scans: (rows as ExplainedTable[]).flatMap(mysqlScan) }
      })
      return Promise.all(plans)
    },
    async close() {
      await Promise.all([connection.end(), admin.end(), kysely.destroy()])
    },
  }
}

interface ExplainedTable {
  readonly select_type: string
  readonly table: string | null
  readonly type: string | null
  readonly key: string | null
  readonly Extra: string | null
}

function mysqlScan({ select_type, table, type, key }: ExplainedTable): string[] {
  // A row that is added, and the result of a subquery.
  if (select_type === 'INSERT' || table === null || table.startsWith('<')) return []
  return type === 'ALL' || type === 'index' ? [`${table} by ${key}`] : []
}

async function openSqliteStore(): Promise<Opened> {
  const database = await openSqlite(':memory:')
  // Nothing but the schema decides how SQLite reads, and libsql leaves statements that explain unfinished.
  const explaining = await openSqlite(':memory:')
  const empty = new Kysely<unknown>({ dialect: new SqliteDialect({ database: explaining }) })
  await SqliteAdapter({ kysely: empty }).migrations.apply()
  const sent = sentStatements()
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }), log: sent.log })
  return {
    adapter: SqliteAdapter({ kysely }),
    send: text => sql.raw(text).execute(kysely),
    async plansOf(act) {
      const statements = await sent.during(act)
      return statements.map(({ sql: text, parameters }) => {
        const explained = explaining.prepare(`explain query plan ${text}`).iterate([...parameters])
        // Sound: what `explain query plan` returns.
        const steps = [...explained] as { readonly detail: string }[]
        return { sql: text, scans: sqliteScans(steps.map(({ detail }) => detail)) }
      })
    },
    close: () => Promise.all([kysely.destroy(), empty.destroy()]),
  }
}

function sqliteScans(details: readonly string[]): string[] {
  const made = details.flatMap(
    detail => /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(detail)?.[1] ?? [],
  )
  return details.filter(detail => {
    const [, name] = /^SCAN (\S+)/.exec(detail) ?? []
    const isRow = /^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?)|VIRTUAL TABLE/.test(detail)
    return name !== undefined && !isRow && !made.includes(name)
  })
}

/** Statements that a Kysely has sent. */
function sentStatements() {
  const sent = new Map<string, { readonly sql: string; readonly parameters: readonly unknown[] }>()
  return {
    log({ query: { sql: text, parameters } }: LogEvent) {
      if (isPlanned(text)) sent.set(text, { sql: text, parameters })
    },
    async during(act: () => Promise<unknown>) {
      sent.clear()
      await act()
      return [...sent.values()]
    },
  }
}
