import { type RawBuilder, sql } from 'kysely'
import type { CheckedRevocation } from '../../revocations/check-revocations.ts'

/** How one kind of database stores revocations. */
export interface RevocationSql {
  /** Its clock when a statement began, in milliseconds. */
  readonly clock: RawBuilder<unknown>
  /** Records `count` revocations, notifies watchers, and returns the rows if the database can. */
  end(table: RawBuilder<unknown>, count: number): RawBuilder<Record<string, unknown>>
  /** The values for `end`. */
  revocationValues(revocations: readonly CheckedRevocation[]): readonly unknown[]
  /** Whether the column equals one of that many texts. */
  isAmong(column: RawBuilder<unknown>, count: number): RawBuilder<unknown>
  /** The values for `isAmong`. */
  amongValues(texts: readonly string[]): readonly unknown[]
  /** Whether the text of a statement is the same for any number of revocations, or of keys. */
  readonly hasOneText: boolean
}

export const KEY: RawBuilder<unknown> = sql.id('revocationKey')

export const COLUMNS: RawBuilder<unknown> = sql.join(
  ['revocationKey', 'generation', 'expires', 'changed'].map(name => sql.id(name)),
)

/** What processes need of a revocation. */
export const READ_COLUMNS: RawBuilder<unknown> = sql.join(
  ['revocationKey', 'generation', 'expires'].map(name => sql.id(name)),
)

/** For databases where one statement serves any number: as one JSON text. */
export function toJson(revocations: readonly CheckedRevocation[]): readonly unknown[] {
  return [JSON.stringify(revocations)]
}
