import { sql } from 'kysely'
import type { ColumnRow, Flavour, IndexRow, TablePath } from './flavour.ts'

export const SQLITE: Flavour = {
  hasReturning: true,
  returningInserted: 'returning *',
  returningDeleted: 'returning *',
  hasWritingCte: false,
  quote: '"',
  types: {
    userId: 'text',
    key: 'text',
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
      (c.dflt_value is not null or (c.pk = 1 and lower(c.type) = 'integer')) as has_default
    from sqlite_master m join pragma_table_info(m.name) c where m.name in (${namesOf(tables)})`,
  indexes: tables => sql<IndexRow>`
    select m.name as table_name, i.name as index_name, i."unique" as is_unique,
      c.name as column_name, c.seqno as position
    from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
    where m.type = 'table' and m.name in (${namesOf(tables)}) and not i.partial
    union all
    select m.name, 'primary key', 1, c.name, c.pk
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name in (${namesOf(tables)}) and c.pk > 0
    order by index_name, position`,
  // SQLite has no dates: those of Prisma and Drizzle are numbers, those of others ISO texts.
  encode(value, columnType = '') {
    if (value instanceof Date) {
      return columnType.includes('int') ? value.getTime() : value.toISOString()
    }
    return typeof value === 'boolean' ? Number(value) : value
  },
  isDuplicate: error => error instanceof Error && /UNIQUE constraint failed/i.test(error.message),
}

function namesOf(tables: readonly TablePath[]) {
  return sql.join(tables.map(({ name }) => name))
}
