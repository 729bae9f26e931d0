import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import type { Row } from './statement.ts'

/** The rows of a table that may be removed. */
interface ExpiredRows {
  readonly table: RawBuilder<unknown>
  readonly primaryKey: RawBuilder<unknown>
  /** Whether a row has expired. It is part of the statement twice, and so are the values that it needs. */
  readonly hasExpired: RawBuilder<unknown>
}

/** Removes up to `count` rows that have expired, those first that expired first. */
export function expiredRemoval(
  { hasDeleteLimit }: SqlDialect,
  { table, primaryKey, hasExpired }: ExpiredRows,
  count: number,
): RawBuilder<Row> {
  const limit = sql`order by expires limit ${sql.lit(count)}`
  if (hasDeleteLimit) {
    return sql<Row>`delete from ${table} where ${hasExpired} and ${hasExpired} ${limit}`
  }
  // Checked twice: a row may be renewed between the two.
  return sql<Row>`delete from ${table} where (${primaryKey}) in (
    select ${primaryKey} from ${table} where ${hasExpired} ${limit}) and ${hasExpired}`
}
