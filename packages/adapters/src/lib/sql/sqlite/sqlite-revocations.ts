import { sql } from 'kysely'
import {
  COLUMNS,
  KEY,
  READ_COLUMNS,
  type RevocationSql,
  toJson,
} from '../statements/revocation-sql.ts'
import type { Row } from '../statements/statement.ts'

const MS_PER_DAY = 86_400_000
// Julian days, which all versions support.
const CLOCK = sql`cast((julianday('now') - 2440587.5) * ${sql.lit(MS_PER_DAY)} as integer)`

export const SQLITE_REVOCATIONS: RevocationSql = {
  clock: CLOCK,
  // With a condition, since SQLite would read "on conflict" as that of a join.
  end: table => sql<Row>`
    insert into ${table} (${COLUMNS})
    select json_extract(value, '$.key'),
      case when json_extract(value, '$.isGeneration')
        then coalesce(json_extract(value, '$.generation'), ${CLOCK}) end,
      json_extract(value, '$.until'), ${CLOCK}
    from json_each(${null}) where true
    on conflict (${KEY}) do update set
      generation = case when excluded.generation is not null and generation is not null
        then max(generation + 1, excluded.generation) end,
      expires = max(expires, excluded.expires),
      changed = excluded.changed
    returning ${READ_COLUMNS}`,
  revocationValues: toJson,
  isAmong: column => sql`${column} in (select value from json_each(${null}))`,
  amongValues: texts => [JSON.stringify(texts)],
  hasOneText: true,
}
