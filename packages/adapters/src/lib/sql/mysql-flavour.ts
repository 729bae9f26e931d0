import { sql } from 'kysely'
import type { ColumnRow, Flavour, IndexRow, TablePath } from './flavour.ts'

// Ids and tokens that differ in letters or accents only are different ones.
const EXACT = 'character set utf8mb4 collate utf8mb4_bin'

export const MYSQL: Flavour = {
  hasReturning: false,
  // Read by MariaDB from that version on, and a comment to MySQL, which has no such thing.
  returningInserted: '/*M!100500 returning * */',
  returningDeleted: '/*M!100005 returning * */',
  hasWritingCte: false,
  quote: '`',
  types: {
    userId: `varchar(255) ${EXACT}`,
    key: `varchar(255) ${EXACT}`,
    // RFC 5321 §4.5.3.1: 64 for the local part, 255 for the domain, and the @.
    address: `varchar(320) ${EXACT}`,
    text: 'text',
    longText: 'mediumtext',
    number: 'bigint',
    boolean: 'boolean',
    date: 'datetime(3)',
  },
  userIdDefault: '',
  hasIndexIfNotExists: false,
  tableOptions: ' engine = InnoDB default character set = utf8mb4',
  columns: tables => sql<ColumnRow>`
    select table_name as table_name, column_name as column_name, column_type as column_type,
      (coalesce(column_default, 'NULL') <> 'NULL' or extra <> '') as has_default
    from information_schema.columns where ${among(tables)}`,
  indexes: tables => sql<IndexRow>`
    select table_name as table_name, index_name as index_name, not non_unique as is_unique,
      column_name as column_name
    from information_schema.statistics where ${among(tables)} and sub_part is null
    order by index_name, seq_in_index`,
  encode: value => value,
  isDuplicate: error => error instanceof Error && 'errno' in error && error.errno === 1062,
}

function among(tables: readonly TablePath[]) {
  const each = tables.map(
    ({ schema, name }) =>
      sql`(table_schema = coalesce(${schema}, database()) and table_name = ${name})`,
  )
  return sql`(${sql.join(each, sql` or `)})`
}
