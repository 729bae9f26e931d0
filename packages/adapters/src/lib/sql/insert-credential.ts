import type { SqlTables } from './open-tables.ts'
import { textFrom } from './rows/row-values.ts'
import { TABLES } from './schema/tables.ts'
import type { CredentialKey } from './statements/row-statements.ts'
import { keyValues } from './statements/statement-context.ts'

/** Inserts an account or a passkey, replacing one with the same key whose user is gone. */
export async function insertCredential(
  tables: SqlTables,
  key: CredentialKey,
  record: object,
  id: readonly string[],
): Promise<void> {
  const row = await tables.newRow(key, record)
  try {
    await tables.insertRow(key, row)
  } catch (error) {
    if (!tables.dialect.isDuplicate(error) || !(await removeOrphan(tables, key, id))) throw error
    await tables.insertRow(key, row)
  }
}

/**
 * Removes the row that made an insertion fail, if its user is gone. Returns whether it did, so that the
 * insertion may succeed now. Throws if the columns confuse two different keys.
 */
export async function removeOrphan(
  { statements, names, run, first }: SqlTables,
  key: CredentialKey,
  id: readonly string[],
): Promise<boolean> {
  const { numAffectedRows } = await run(statements.rows.removeOrphan(key), keyValues(key, id))
  if (numAffectedRows) return true
  const row = await first(statements.rows.findLookalike(key), id)
  const { primaryKey } = TABLES[key]
  if (row && primaryKey.some((name, at) => textFrom(row[name]) !== id[at])) {
    throw lookalikeError(`${names[key]} (${primaryKey.join(', ')})`)
  }
  return false
}

export function lookalikeError(columns: string): Error {
  return new Error(
    `${columns} treats another value as equal to this one: give the columns a collation that distinguishes all characters, such as utf8mb4_bin, or the type adapter.migrations.sql() gives them`,
  )
}
