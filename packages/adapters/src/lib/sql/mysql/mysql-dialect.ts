import { sql } from 'kysely'
import {
  type ColumnRow,
  errorCode,
  type IndexRow,
  type SqlDialect,
  type TablePath,
} from '../dialect.ts'
import { MYSQL_LIMITS } from './mysql-limits.ts'
import { MYSQL_REVOCATIONS } from './mysql-revocations.ts'

// Ids and tokens that differ in letters or accents only are different ones.
const EXACT = 'character set utf8mb4 collate utf8mb4_bin'

const DUPLICATE_ENTRY = 1062
const NO_SUCH_TABLE = 1146
const LOCK_WAIT_TIMEOUT = 1205
const DEADLOCK = 1213
/** From MariaDB, if two transactions change a row that both have read. */
const RECORD_CHANGED = 1020

export const MYSQL: SqlDialect = {
  takesNul: true,
  maxKeyBytes: Number.POSITIVE_INFINITY,
  textBytes: 2 ** 16 - 1,
  integerBits: 32,
  hasReturning: false,
  // MariaDB reads it from that version on. To MySQL, which has no `returning`, it is a comment.
  returningInserted: '/*M!100500 returning * */',
  returningDeleted: '/*M!100005 returning * */',
  async returnsDeleted(db) {
    const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
    return /mariadb/i.test(rows[0]?.version ?? '')
  },
  lockRows: 'for update',
  lockFreeRows: '',
  hasWritingCte: false,
  hasDeleteLimit: true,
  clock: sql`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`,
  quote: '`',
  types: {
    userId: `varchar(255) ${EXACT}`,
    key: `varchar(255) ${EXACT}`,
    asciiKey: 'varbinary(255)',
    // Bytes, since every collation that all versions have ignores blanks at the end. This many fit
    // into a primary key beside a provider, and hold a credential id of any length in base64.
    foreignId: 'varbinary(2048)',
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
    select ${givenName(tables)} as table_name, column_name as column_name,
      column_type as column_type,
      (coalesce(column_default, 'NULL') <> 'NULL' or extra <> '') as has_default,
      concat('character set ', character_set_name, ' collate ', collation_name) as column_collation
    from information_schema.columns where ${among(tables)}`,
  indexes: tables => sql<IndexRow>`
    select ${givenName(tables)} as table_name, index_name as index_name,
      not non_unique as is_unique, column_name as column_name
    from information_schema.statistics where ${among(tables)}
      and (table_schema, table_name, index_name) not in (
        select table_schema, table_name, index_name from information_schema.statistics
        where ${among(tables)} and (sub_part is not null or column_name is null))
    order by index_name, seq_in_index`,
  isExactly: (column, value) =>
    sql`cast(convert(${column} using utf8mb4) as binary) = cast(convert(${value} using utf8mb4) as binary)`,
  asText: column => sql`cast(${column} as char)`,
  encode: value => value,
  revocations: MYSQL_REVOCATIONS,
  limits: MYSQL_LIMITS,
  isMissingTable: error => errorCode(error) === NO_SUCH_TABLE,
  isDuplicate: error => errorCode(error) === DUPLICATE_ENTRY,
  isConflict: error =>
    [DEADLOCK, LOCK_WAIT_TIMEOUT, RECORD_CHANGED].includes(Number(errorCode(error))),
  loadMigrationRules: async () => (await import('./mysql-migrations.ts')).MYSQL_MIGRATIONS,
  inTransaction: (db, act) => db.transaction().execute(act),
}

/** The table's name as given: with lower_case_table_names, it is stored in other letters. */
function givenName(tables: readonly TablePath[]) {
  const cases = tables.map(table => sql`when ${isTable(table)} then ${table.name}`)
  return sql`case ${sql.join(cases, sql` `)} end`
}

function among(tables: readonly TablePath[]) {
  return sql`(${sql.join(tables.map(isTable), sql` or `)})`
}

function isTable({ schema, name }: TablePath) {
  return sql`(table_schema = coalesce(${schema}, database()) and table_name = ${name}
    and if(@@lower_case_table_names = 0, binary table_name = binary ${name}, true))`
}
