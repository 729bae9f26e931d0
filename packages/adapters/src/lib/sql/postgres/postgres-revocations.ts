import { type RawBuilder, sql } from 'kysely'
import { tablePath } from '../dialect.ts'
import { COLUMNS, KEY, type RevocationSql, toJson } from '../statements/revocation-sql.ts'
import type { Row } from '../statements/statement.ts'

// Also if the statement had to wait for another one: a later time is found sooner.
const CLOCK_NOW = milliseconds(sql`clock_timestamp()`)

export const POSTGRES_REVOCATIONS: RevocationSql = {
  clock: milliseconds(sql`statement_timestamp()`),
  end: table => sql<Row>`
    insert into ${table} as r (${COLUMNS})
    select key, case when "isGeneration" then coalesce(generation, ${CLOCK_NOW}) end, until, ${CLOCK_NOW}
    from jsonb_to_recordset(cast(${null} as jsonb)) as e(key text, until bigint,
      "isGeneration" boolean, generation bigint)
    order by key
    on conflict (${KEY}) do update set
      generation = case when excluded.generation is not null and r.generation is not null
        then greatest(r.generation + 1, excluded.generation) end,
      expires = greatest(r.expires, excluded.expires),
      changed = ${CLOCK_NOW}
    returning r.${KEY}, r.generation, r.expires, ${notification()}`,
  revocationValues: toJson,
  isAmong: column => sql`${column} = any(cast(${null} as text[]))`,
  amongValues: texts => [texts],
  hasOneText: true,
}

/** The channel of a table. A table of the same name in another schema has another one. */
export function channelQuery(table: string): RawBuilder<Row> {
  const { schema, name } = tablePath(table)
  const path = [...(schema === null ? [] : [schema]), name].map(quote).join('.')
  return sql<Row>`select ${channel(sql`cast(to_regclass(${path}) as oid)`)} as channel`
}

/** Sends a message. Needs the channel and the text. */
export const SAY: RawBuilder<Row> = sql<Row>`select pg_notify(${null}, ${null})`

// One message for each row, since a message has at most 8000 bytes.
function notification() {
  const text = sql`concat_ws(' ', r.${KEY}, r.expires, coalesce(cast(r.generation as text), '-'))`
  return sql`pg_notify(${channel(sql`r.tableoid`)}, ${text}) as notified`
}

function channel(oid: RawBuilder<unknown>) {
  return sql`'siteauth_' || ${oid}`
}

function milliseconds(time: RawBuilder<unknown>) {
  return sql`cast(floor(extract(epoch from ${time}) * 1000) as bigint)`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
