import { type RawBuilder, sql } from 'kysely'
import type { CheckedEnding } from '../../revocations/endings.ts'

/** How one kind of database keeps what was ended. */
export interface RevocationSql {
  /** Its clock when a statement began, in milliseconds. */
  readonly clock: RawBuilder<unknown>
  /** Records that many endings, tells whoever listens, and returns the rows where it can. */
  end(table: RawBuilder<unknown>, count: number): RawBuilder<Record<string, unknown>>
  /** What `end` is given. */
  endingValues(endings: readonly CheckedEnding[]): readonly unknown[]
  /** Whether the column has one of that many texts. */
  isAmong(column: RawBuilder<unknown>, count: number): RawBuilder<unknown>
  /** What `isAmong` is given. */
  amongValues(texts: readonly string[]): readonly unknown[]
  /** The largest number of endings, or of keys, that a statement takes. */
  readonly maxCount: number
}

export const KEY: RawBuilder<unknown> = sql.id('revocationKey')

export const COLUMNS: RawBuilder<unknown> = sql.join(
  ['revocationKey', 'generation', 'expires', 'changed'].map(name => sql.id(name)),
)

/** Where one statement serves any number: they are sent as one text of JSON. */
export function jsonOf(endings: readonly CheckedEnding[]): readonly unknown[] {
  return [JSON.stringify(endings)]
}
