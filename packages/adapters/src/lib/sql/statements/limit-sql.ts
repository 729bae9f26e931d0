import type { LimitRule } from '@siteauth/core/adapters'
import { planFor } from '@siteauth/core/limits'
import { type QueryResult, type RawBuilder, sql } from 'kysely'

/** How one kind of database counts an attempt. */
export interface LimitSql {
  /**
   * Counts an attempt if one is allowed. Needs the key, the time of the next attempt if this is the
   * first one, and the time when it expires, followed by `moreValues`.
   */
  take(table: RawBuilder<unknown>, rule: LimitRule): RawBuilder<Record<string, unknown>>
  /** The values that follow those three. */
  moreValues(key: string, now: number): readonly unknown[]
  /** How long to wait, 0 if the attempt was counted; undefined if the statement does not return it. */
  waitFrom(result: QueryResult<Record<string, unknown>>): number | undefined
}

export const KEY: RawBuilder<unknown> = sql.id('limitKey')
export const COLUMNS: RawBuilder<unknown> = sql.join(
  ['limitKey', 'attempts', 'notBefore', 'expires'].map(name => sql.id(name)),
)

/** The values of a first attempt. */
export function firstAttempt(key: string, rule: LimitRule, now: number): readonly unknown[] {
  const { toleranceMilliseconds, forgetAfterMilliseconds } = planFor(rule)
  const notBefore = now - behindNow(rule)
  return [key, notBefore, notBefore + toleranceMilliseconds + forgetAfterMilliseconds]
}

/** How far the `notBefore` of a first attempt lies before its time. */
export function behindNow(rule: LimitRule): number {
  const { toleranceMilliseconds, waits } = planFor(rule)
  return toleranceMilliseconds - (waits[0]?.milliseconds ?? 0)
}

/** How long an attempt has to wait for, by the number in a row. */
export function waitFor(attempts: RawBuilder<unknown>, rule: LimitRule): RawBuilder<unknown> {
  const { waits } = planFor(rule)
  const cases = waits.slice(0, -1).map(({ upTo, milliseconds }) => {
    return sql`when ${attempts} <= ${sql.lit(upTo)} then ${sql.lit(milliseconds)}`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(waits.at(-1)?.milliseconds ?? 0)} end`
}

/** The insertion that counts, for databases whose insertions can have a condition. */
export function conditionalInsert(
  table: RawBuilder<unknown>,
  rule: LimitRule,
): RawBuilder<unknown> {
  const { toleranceMilliseconds, forgetAfterMilliseconds } = planFor(rule)
  const now = sql`(excluded.${sql.id('notBefore')} + ${sql.lit(behindNow(rule))})`
  const notBefore = sql`l.${sql.id('notBefore')}`
  const attempts = sql`(case when l.expires <= ${now} then 1 else l.attempts + 1 end)`
  const earliest = sql`(${now} - ${sql.lit(toleranceMilliseconds)})`
  const start = sql`(case when ${notBefore} > ${earliest} then ${notBefore} else ${earliest} end)`
  const next = sql`${start} + ${waitFor(attempts, rule)}`
  return sql`
    insert into ${table} as l (${COLUMNS}) values (${null}, 1, ${null}, ${null})
    on conflict (${KEY}) do update set
      attempts = ${attempts},
      ${sql.id('notBefore')} = ${next},
      expires = ${next} + ${sql.lit(toleranceMilliseconds + forgetAfterMilliseconds)}
    where ${notBefore} <= ${now}
    returning 1 as taken`
}
