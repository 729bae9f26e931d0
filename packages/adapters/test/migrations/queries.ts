import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from '../servers.ts'

/** One kind of database whose tables are migrated. */
export interface Database {
  readonly isThere: boolean
  readonly create: () => Promise<string>
  /** Sends some statements, and returns the rows of the last. */
  readonly query: (place: string, ...statements: readonly string[]) => Promise<Row[]>
  /** Everything that migrations make, in words that do not depend on names of their own. */
  readonly describe: string
}

export type Row = Record<string, unknown>

/** Where the files of SQLite are: to be removed. */
export const folder = join(tmpdir(), `siteauth-migrations-${crypto.randomUUID()}`)

export const DATABASES: Readonly<Record<'SQLite' | 'PostgreSQL' | 'MySQL', Database>> = {
  SQLite: {
    isThere: true,
    async create() {
      mkdirSync(folder, { recursive: true })
      return join(folder, crypto.randomUUID())
    },
    query: querySqlite,
    describe: `select type, tbl_name, replace(sql, '"', '') as made from sqlite_master order by type, name`,
  },
  PostgreSQL: {
    isThere: POSTGRES_URL !== undefined,
    create: createPostgresDatabase,
    query: queryPostgres,
    describe: `select conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) as made
      from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public' order by 1`,
  },
  MySQL: {
    isThere: MYSQL_URL !== undefined,
    create: createMysqlDatabase,
    query: queryMysql,
    // A foreign key makes an index of its own where there is none yet, under another name.
    describe: `select table_name t, constraint_type c from information_schema.table_constraints
      where table_schema = database()
      union all select table_name, group_concat(column_name order by seq_in_index)
      from information_schema.statistics where table_schema = database()
      group by table_name, index_name order by t, c`,
  },
}

export async function queryPostgres(
  place: string,
  ...statements: readonly string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: place })
  await client.connect()
  let rows: Row[] = []
  for (const statement of statements) ({ rows } = await client.query(statement))
  await client.end()
  return rows
}

export async function queryMysql(place: string, ...statements: readonly string[]): Promise<Row[]> {
  const connection = await mysql.createConnection({ uri: place })
  let rows: unknown
  for (const statement of statements) [rows] = await connection.query(statement)
  await connection.end()
  // Sound: what a select returns, which is the last statement where somebody looks.
  return rows as Row[]
}

export async function querySqlite(place: string, ...statements: readonly string[]): Promise<Row[]> {
  const { openSqlite } = await import('../../src/lib/sql/sqlite/open-sqlite.ts')
  const database = await openSqlite(place)
  let rows: unknown[] = []
  for (const statement of statements) {
    const prepared = database.prepare(statement)
    if (prepared.reader) rows = prepared.all([])
    else prepared.run([])
  }
  database.close()
  // Sound: rows are objects.
  return rows as Row[]
}
