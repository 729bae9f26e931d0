import { sql } from 'kysely'
import {
  type ColumnRow,
  errorCode,
  type IndexRow,
  type SqlDialect,
  type TablePath,
} from '../dialect.ts'
import { POSTGRES_LIMITS } from './postgres-limits.ts'
import { POSTGRES_REVOCATIONS } from './postgres-revocations.ts'

// PostgreSQL's table of errors, Appendix A.
const UNIQUE_VIOLATION = '23505'
const UNDEFINED_TABLE = '42P01'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

export const POSTGRES: SqlDialect = {
  takesNul: false,
  // A third of a page, less what the other columns of the same index may need.
  maxKeyBytes: 2048,
  textBytes: Number.POSITIVE_INFINITY,
  integerBits: 32,
  hasReturning: true,
  returningInserted: 'returning *',
  returningDeleted: 'returning *',
  returnsDeleted: async () => true,
  lockRows: 'for update',
  lockFreeRows: 'for update skip locked',
  hasWritingCte: true,
  hasDeleteLimit: false,
  clock: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  quote: '"',
  types: {
    userId: 'text',
    key: 'text',
    asciiKey: 'text',
    foreignId: 'text',
    address: 'text',
    text: 'text',
    longText: 'text',
    number: 'bigint',
    boolean: 'boolean',
    date: 'timestamptz',
  },
  // @auth/pg-adapter, which leaves the id to the database, can use the table as well.
  userIdDefault: ' default gen_random_uuid()',
  hasIndexIfNotExists: true,
  tableOptions: '',
  columns: tables => sql<ColumnRow>`
    select c.relname as table_name, a.attname as column_name,
      format_type(a.atttypid, a.atttypmod) as column_type,
      (a.atthasdef or a.attidentity <> '') as has_default, null as column_collation
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid in (${relations(tables)}) and a.attnum > 0 and not a.attisdropped`,
  indexes: tables => sql<IndexRow>`
    select c.relname as table_name, ic.relname as index_name, i.indisunique::int as is_unique,
      a.attname as column_name, not (i.indisvalid and i.indisready) as is_unfinished,
      format('%I.%I', ic.relnamespace::regnamespace::name, ic.relname) as index_path
    from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_class ic on ic.oid = i.indexrelid
      cross join lateral unnest(i.indkey::int2[]) with ordinality k(attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    where i.indrelid in (${relations(tables)}) and i.indpred is null and i.indexprs is null
      and k.position <= i.indnkeyatts
    order by ic.relname, k.position`,
  isExactly: (column, value) =>
    sql`cast(${column} as text) collate "C" = cast(${value} as text) collate "C"`,
  asText: column => sql`cast(${column} as text)`,
  encode: value => value,
  revocations: POSTGRES_REVOCATIONS,
  limits: POSTGRES_LIMITS,
  isMissingTable: error => errorCode(error) === UNDEFINED_TABLE,
  isDuplicate: error => errorCode(error) === UNIQUE_VIOLATION,
  isConflict: error =>
    [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(String(errorCode(error))),
  loadMigrationRules: async () => (await import('./postgres-migrations.ts')).POSTGRES_MIGRATIONS,
  // Whatever the default of the database is: each statement has to see what was stored while a lock was waited for.
  inTransaction: (db, act) => db.transaction().setIsolationLevel('read committed').execute(act),
}

// to_regclass follows the search path, as the queries do.
function relations(tables: readonly TablePath[]) {
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
  return sql.join(
    tables.map(({ schema, name }) => {
      const path = schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
      return sql`to_regclass(${path})`
    }),
  )
}
