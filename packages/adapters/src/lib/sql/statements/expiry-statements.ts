import { type RawBuilder, sql } from 'kysely'
import { RETENTION_MS } from '../../revocations/check-revocations.ts'
import type { ExpiringTable } from '../../table-rules.ts'
import type { SqlDialect } from '../dialect.ts'
import { TABLES } from '../schema/tables.ts'
import type { ExpiringKey } from './row-statements.ts'
import type { Row, Statement } from './statement.ts'
import { list, type StatementContext, VALUE } from './statement-context.ts'

export interface ExpiryStatements {
  /**
   * Removes up to `count` rows that have expired, those first that expired first. Rows that another process is removing are passed
   * over where the database can. Returns when each had expired, as `expires`, where the database can. Needs its value of
   * {@link ExpiryRange}, and the time if they have dates: twice if `isCheckedTwice`.
   */
  remove(table: ExpiringTable, count: number, range: ExpiryRange): Statement
  /** Finds when the first of the rows that are left has expired, as `expires`. For databases that do not return it. */
  findNext(table: ExpiringTable, range: ExpiryRange): Statement
  /** Whether `remove` checks twice if a row has expired: it may be renewed between the two. */
  readonly isCheckedTwice: boolean
}

/** The rows that a statement is about. */
interface ExpiryRange {
  /** Whether it begins at a time, the `next` of the statement before. Needs that value before all others. */
  readonly hasStart: boolean
}

/** How long attempts are kept after their time, which is that of the servers: longer than their clocks lie apart. */
const LIMITS_RETENTION_MS = 3_600_000

export function expiryStatements(context: StatementContext): ExpiryStatements {
  const { dialect, cache } = context
  const nameOf = (table: ExpiringTable, { hasStart }: ExpiryRange) =>
    `expired ${table}${hasStart ? ' from' : ''}`
  return {
    isCheckedTwice: !dialect.hasDeleteLimit,
    remove: (table, count, range) =>
      cache(`remove ${count} ${nameOf(table, range)}`, () => {
        return removal(context, table, count, range)
      }),
    findNext: (table, range) =>
      cache(`find next ${nameOf(table, range)}`, () => {
        return sql`select ${endOf(dialect, table)} from ${context.table(table)} r
          where ${inRange(dialect, table, range)} order by r.expires limit 1`
      }),
  }
}

function removal(
  { dialect, table: tableName }: StatementContext,
  key: ExpiringTable,
  count: number,
  range: ExpiryRange,
): RawBuilder<Row> {
  const table = tableName(key)
  const isInRange = inRange(dialect, key, range)
  const limit = sql`order by expires limit ${sql.lit(count)}`
  if (dialect.hasDeleteLimit) return sql`delete from ${table} where ${isInRange} ${limit}`
  const primaryKey = list(TABLES[key].primaryKey)
  const lock = sql.raw(dialect.lockFreeRows)
  const found = sql`select ${primaryKey} from ${table} where ${isInRange} ${limit} ${lock}`
  const expired = hasExpired(dialect, key)
  const returning = sql`returning ${endOf(dialect, key)}`
  if (!dialect.lockFreeRows) {
    return sql`delete from ${table} where (${primaryKey}) in (${found}) and ${expired} ${returning}`
  }
  // A subquery that locks could be run once for each row. And a list leads the planner to the index: for a join, it may read the
  // whole table instead.
  const first = list(TABLES[key].primaryKey.slice(0, 1))
  const isSame = sql`(${primaryKey}) in (select ${primaryKey} from expired)`
  return sql`with expired as (${found}) delete from ${table}
    where ${first} = any(array(select ${first} from expired)) and ${isSame} and ${expired} ${returning}`
}

function endOf({ asText }: SqlDialect, table: ExpiringTable): RawBuilder<unknown> {
  const expires = sql.id('expires')
  return sql`${hasDates(table) ? asText(expires) : expires} as expires`
}

function inRange(dialect: SqlDialect, table: ExpiringTable, { hasStart }: ExpiryRange) {
  const expired = hasExpired(dialect, table)
  return hasStart ? sql`expires >= ${VALUE} and ${expired}` : expired
}

/** Whether a row may be removed, by the clock of the database. */
function hasExpired({ revocations }: SqlDialect, table: ExpiringTable): RawBuilder<unknown> {
  const { clock } = revocations
  if (table === 'limits') return sql`expires <= ${clock} - ${sql.lit(LIMITS_RETENTION_MS)}`
  if (table !== 'revocations') return sql`expires <= ${VALUE}`
  // A generation that is not in the past yet could be assigned again.
  return sql`expires <= ${clock} - ${sql.lit(RETENTION_MS)}
    and (generation is null or generation < ${clock})`
}

/** Whether the times of a table are dates, which each database has a type of its own for: its statements need the time. */
export function hasDates(table: ExpiringTable): table is ExpiringKey {
  return TABLES[table].columns['expires']?.kind === 'date'
}
