import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type SqlAdapter, SqliteAdapter } from '../../src/sqlite.ts'

/** The adapter for a database of that kind. */
export function openSqlAdapter(kind: string, place: string): SqlAdapter {
  switch (kind) {
    case 'SQLite':
      return SqliteAdapter({ file: place })
    case 'PostgreSQL':
      return PostgresAdapter({ url: place })
    default:
      return MysqlAdapter({ url: place })
  }
}
