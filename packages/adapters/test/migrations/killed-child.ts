import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type SqlAdapter, SqliteAdapter } from '../../src/sqlite.ts'

// Migrates a database, writes each statement that was carried out, and is killed after that many:
// killed-child.js <kind> <place> <count>
const [kind = '', place = '', count = ''] = process.argv.slice(2)

let done = 0
function log({ query }: { readonly query: { readonly sql: string } }): void {
  done++
  process.stdout.write(`${query.sql.replaceAll(/\s+/g, ' ')}\n`)
  if (done === Number(count)) process.kill(process.pid, 'SIGKILL')
}

async function open(): Promise<SqlAdapter> {
  if (kind === 'SQLite') {
    const dialect = new SqliteDialect({ database: await openSqlite(place) })
    return SqliteAdapter({ kysely: new Kysely({ dialect, log }) })
  }
  if (kind === 'PostgreSQL') {
    const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: place }) })
    return PostgresAdapter({ kysely: new Kysely({ dialect, log }) })
  }
  const dialect = new MysqlDialect({ pool: mysql.createPool({ uri: place, timezone: 'Z' }) })
  return MysqlAdapter({ kysely: new Kysely({ dialect, log }) })
}

const adapter = await open()
await adapter.migrations.apply()
process.exit(0)
