import { sql } from 'kysely'
import { conditionalInsert, KEY, type LimitSql } from '../statements/limit-sql.ts'
import type { Row } from '../statements/statement.ts'

export const POSTGRES_LIMITS: LimitSql = {
  // The row may be newer than the snapshot of the second half: then the shortest wait is returned.
  take: (table, rule) => sql<Row>`
    with taken as (${conditionalInsert(table, rule)})
    select case when exists (select 1 from taken) then 0 else greatest(1, (
      select l.${sql.id('notBefore')} - cast(${null} as bigint) from ${table} l
      where l.${KEY} = ${null})) end as wait`,
  moreValues: (key, now) => [now, key],
  waitFrom: ({ rows }) => Number(rows[0]?.['wait'] ?? 1),
}
