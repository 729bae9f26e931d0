import { sql } from 'kysely'
import type { ColumnRow, IndexRow, SqlDialect, TablePath } from '../dialect.ts'
import { SQLITE_LIMITS } from './sqlite-limits.ts'
import { SQLITE_REVOCATIONS } from './sqlite-revocations.ts'
import { whileWriting } from './write-transaction.ts'

export const SQLITE: SqlDialect = {
  takesNul: true,
  maxKeyBytes: Number.POSITIVE_INFINITY,
  textBytes: Number.POSITIVE_INFINITY,
  integerBits: 64,
  hasReturning: true,
  returningInserted: 'returning *',
  returningDeleted: 'returning *',
  returnsDeleted: async () => true,
  lockRows: '',
  lockFreeRows: '',
  hasWritingCte: false,
  hasDeleteLimit: false,
  clock: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  quote: '"',
  types: {
    userId: 'text',
    key: 'text',
    asciiKey: 'text',
    foreignId: 'text',
    address: 'text',
    text: 'text',
    longText: 'text',
    number: 'integer',
    boolean: 'integer',
    date: 'text',
  },
  userIdDefault: '',
  hasIndexIfNotExists: true,
  tableOptions: '',
  columns: tables => sql<ColumnRow>`
    select m.name as table_name, c.name as column_name, c.type as column_type,
      (c.dflt_value is not null or (c.pk = 1 and lower(c.type) = 'integer')) as has_default,
      null as column_collation
    from sqlite_master m join pragma_table_info(m.name) c where m.name in (${tableNames(tables)})`,
  indexes: tables => sql<IndexRow>`
    select m.name as table_name, i.name as index_name, i."unique" as is_unique,
      c.name as column_name, c.seqno as position
    from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
    where m.type = 'table' and m.name in (${tableNames(tables)}) and not i.partial
      and not exists (select 1 from pragma_index_info(i.name) e where e.name is null)
    union all
    select m.name, 'primary key', 1, c.name, c.pk
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name in (${tableNames(tables)}) and c.pk > 0
    order by index_name, position`,
  isExactly: (column, value) => sql`${column} = ${value} collate binary`,
  // SQLite has no dates: those of Prisma and Drizzle are numbers, those of others ISO texts.
  asText: column => column,
  encode(value, columnType = '') {
    if (value instanceof Date) {
      return columnType.includes('int') ? value.getTime() : value.toISOString()
    }
    return typeof value === 'boolean' ? Number(value) : value
  },
  revocations: SQLITE_REVOCATIONS,
  limits: SQLITE_LIMITS,
  isMissingTable: error => error instanceof Error && /no such table/i.test(error.message),
  isDuplicate: error => error instanceof Error && /UNIQUE constraint failed/i.test(error.message),
  isConflict: error => error instanceof Error && /database( table)? is locked/i.test(error.message),
  loadMigrationRules: async () => (await import('./sqlite-migrations.ts')).SQLITE_MIGRATIONS,
  inTransaction: whileWriting,
}

function tableNames(tables: readonly TablePath[]) {
  return sql.join(tables.map(({ name }) => name))
}
