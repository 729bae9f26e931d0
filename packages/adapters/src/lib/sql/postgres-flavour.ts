import { sql } from 'kysely'
import type { ColumnRow, Flavour, IndexRow, TablePath } from './flavour.ts'

export const POSTGRES: Flavour = {
  hasReturning: true,
  returningInserted: 'returning *',
  returningDeleted: 'returning *',
  hasWritingCte: true,
  quote: '"',
  types: {
    userId: 'text',
    key: 'text',
    address: 'text',
    text: 'text',
    longText: 'text',
    number: 'bigint',
    boolean: 'boolean',
    date: 'timestamptz',
  },
  // So that @auth/pg-adapter, which leaves the id to the database, could use the table as well.
  userIdDefault: ' default gen_random_uuid()',
  hasIndexIfNotExists: true,
  tableOptions: '',
  columns: tables => sql<ColumnRow>`
    select c.relname as table_name, a.attname as column_name,
      format_type(a.atttypid, a.atttypmod) as column_type,
      (a.atthasdef or a.attidentity <> '') as has_default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid in (${relations(tables)}) and a.attnum > 0 and not a.attisdropped`,
  indexes: tables => sql<IndexRow>`
    select c.relname as table_name, ic.relname as index_name, i.indisunique::int as is_unique,
      a.attname as column_name
    from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_class ic on ic.oid = i.indexrelid
      cross join lateral unnest(i.indkey::int2[]) with ordinality k(attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    where i.indrelid in (${relations(tables)}) and i.indpred is null
      and k.position <= i.indnkeyatts
    order by ic.relname, k.position`,
  encode: value => value,
  // unique_violation, in the table of errors of PostgreSQL's Appendix A.
  isDuplicate: error => error instanceof Error && 'code' in error && error.code === '23505',
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
