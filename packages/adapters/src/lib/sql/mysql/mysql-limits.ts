import { planFor } from '@siteauth/core/limits'
import { sql } from 'kysely'
import { behindNow, COLUMNS, type LimitSql, waitFor } from '../statements/limit-sql.ts'
import type { Row } from '../statements/statement.ts'

const NOT_BEFORE = sql.id('notBefore')

/*
 * MySQL has neither a condition on such an insertion nor an answer to it. So each column keeps its value
 * where the attempt is refused, and what became of it travels as the id of an inserted row: nothing for a
 * first attempt, 1 for another, and the time to wait plus one for one that is refused. Columns are set from
 * left to right, and the last one decides: until then it has its old value.
 */
export const MYSQL_LIMITS: LimitSql = {
  take(table, rule) {
    const { toleranceMilliseconds, forgetAfterMilliseconds } = planFor(rule)
    const now = sql`(values(${NOT_BEFORE}) + ${sql.lit(behindNow(rule))})`
    const isAllowed = sql`${NOT_BEFORE} <= ${now}`
    const start = sql`greatest(${NOT_BEFORE}, ${now} - ${sql.lit(toleranceMilliseconds)})`
    const next = sql`${start} + ${waitFor(sql`attempts`, rule)}`
    const outcome = sql`last_insert_id(if(${isAllowed}, 1, ${NOT_BEFORE} - ${now} + 1))`
    return sql<Row>`
      insert into ${table} (${COLUMNS}) values (${null}, 1, ${null}, ${null})
      on duplicate key update
        attempts = if(${outcome} > 1, attempts, if(expires <= ${now}, 1, attempts + 1)),
        expires = if(${isAllowed}, ${next} + ${sql.lit(toleranceMilliseconds + forgetAfterMilliseconds)}, expires),
        ${NOT_BEFORE} = if(${isAllowed}, ${next}, ${NOT_BEFORE})`
  },
  moreValues: () => [],
  waitFrom: ({ insertId }) => Math.max(Number(insertId ?? 0) - 1, 0),
}
