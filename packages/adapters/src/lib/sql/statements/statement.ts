import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { TableNames } from '../schema/tables.ts'

export type Row = Record<string, unknown>
export type TableKey = keyof TableNames
export type Columns = readonly string[]

/** A statement as it is sent, again and again, each time with other values. */
export type Statement = CompiledQuery<Row>

/** Returns the statement of that name, which is built and compiled at its first use. */
export type StatementCache = (name: string, build: () => RawBuilder<Row>) => Statement

// Many more than an application needs. Which columns are written depends on what providers return.
const MAX_CACHED = 200

export function createStatementCache(db: Kysely<unknown>): StatementCache {
  const cache = new Map<string, Statement>()
  return (name, build) => {
    const cached = cache.get(name)
    if (cached) return cached
    const statement = build().compile(db)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(name, statement)
    return statement
  }
}
