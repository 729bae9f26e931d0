import { type RawBuilder, sql } from 'kysely'
import { conditionalInsert, type LimitSql } from '../statements/limit-sql.ts'
import type { Row } from '../statements/statement.ts'

export const SQLITE_LIMITS: LimitSql = {
  take: (table, rule) => sql<Row>`${conditionalInsert(table, rule)}` as RawBuilder<Row>,
  moreValues: () => [],
  // Undefined costs a second statement, which is cheap on a local file.
  waitFrom: ({ rows }) => (rows.length > 0 ? 0 : undefined),
}
