import type { Limiter, LimitRule } from '@siteauth/core/adapters'
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'
import { firstAttempt, KEY } from './limit-sql.ts'
import type { Send } from './open-database.ts'
import { BATCH } from './sql-revocations.ts'
import { createStatementCache, type Row } from './statements/statement.ts'

/** What a limiter of an SQL database is made of. */
interface LimiterParts {
  readonly db: Kysely<unknown>
  readonly dialect: SqlDialect
  /** The name of its table. */
  readonly table: string
  readonly run: Send
  /** Does it once more where others were in the way. */
  readonly persist: <T>(act: () => Promise<T>) => Promise<T>
}

export interface SqlLimiter {
  readonly limiter: Limiter
  /** Removes some that are over. Returns how many. */
  readonly removeExpired: (now: number) => Promise<number>
}

/** How often a process that counts removes what is over, at most. */
const TIDY_EVERY_MS = 60_000

/** Attempts, as rows. */
export function createSqlLimiter({
  db,
  dialect,
  run,
  persist,
  ...parts
}: LimiterParts): SqlLimiter {
  const { limits } = dialect
  const table = sql.table(parts.table)
  const keep = createStatementCache(db)
  let tidied = Number.NEGATIVE_INFINITY

  const take = (rule: LimitRule) =>
    keep(`take ${JSON.stringify(rule)}`, () => limits.take(table, rule))
  const find = () =>
    keep('find', () => {
      return sql<Row>`select ${sql.id('notBefore')} as next from ${table} where ${KEY} = ${null}`
    })
  const forget = () => keep('forget', () => sql<Row>`delete from ${table} where ${KEY} = ${null}`)
  const remove = () =>
    keep('remove', () => {
      const isOver = sql`expires <= ${null}`
      const limit = sql`order by expires limit ${sql.lit(BATCH)}`
      if (dialect.hasDeleteLimit)
        return sql<Row>`delete from ${table} where ${isOver} and ${isOver} ${limit}`
      // Asked twice: there may be another attempt between the two.
      return sql<Row>`delete from ${table} where ${KEY} in (
        select ${KEY} from ${table} where ${isOver} ${limit}) and ${isOver}`
    })

  async function removeExpired(now: number): Promise<number> {
    const { numAffectedRows } = await persist(() => run(remove(), [now, now]))
    return Number(numAffectedRows ?? 0)
  }

  /** Cleans up now and then. If that fails, another process will do it. */
  async function tidy(now: number): Promise<void> {
    if (now - tidied < TIDY_EVERY_MS) return
    tidied = now
    const removed = await removeExpired(now).catch(() => 0)
    // There is more of it: somebody tries many names.
    if (removed === BATCH) tidied = Number.NEGATIVE_INFINITY
  }

  return {
    removeExpired,
    limiter: {
      async take(key, rule, now) {
        const values = [...firstAttempt(key, rule, now), ...limits.moreValues(key, now)]
        const wait = limits.waitFrom(await persist(() => run(take(rule), values)))
        await tidy(now)
        if (wait !== undefined) return wait
        const { rows } = await run(find(), [key])
        return Math.max(Number(rows[0]?.['next'] ?? 0) - now, 1)
      },
      forget: key => persist(() => run(forget(), [key])),
    },
  }
}
