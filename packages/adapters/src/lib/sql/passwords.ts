import type { PasswordStore } from '@siteauth/core/adapters'
import type { SqlTables } from './open-tables.ts'
import { dateFrom, textFrom } from './rows/row-values.ts'
import type { Statement } from './statements/statement.ts'

export function sqlPasswords(tables: SqlTables): PasswordStore {
  const { dialect, userKey } = tables
  const { rows: statements, passwords } = tables.statements

  const run = (statement: Statement, values: readonly unknown[]) =>
    tables.withTable('passwords', () => tables.run(statement, values))

  /** Runs a statement, and returns whether it affected a row. */
  async function change(statement: Statement, values: readonly unknown[]): Promise<boolean> {
    const { rows, numAffectedRows } = await run(statement, values)
    return rows.length > 0 || Boolean(numAffectedRows)
  }

  return {
    async get(userId) {
      // Sent also for an id that no user can have: unknown users must take as long as others.
      const key = await userKey(userId)
      const { rows } = await run(statements.findOfUser('passwords'), [key])
      // A collation may find passwords of other users.
      const row = rows.find(found => textFrom(found['userId']) === userId)
      if (!row) return null
      const changedAt = dateFrom(row['changedAt']) ?? new Date(0)
      return { userId, hash: textFrom(row['hash']), changedAt }
    },
    async set({ userId, ...password }, replaces) {
      const changes = await tables.encode('passwords', password)
      const values = [...changes.values(), userId]
      if (replaces !== undefined) {
        return change(passwords.replace([...changes.keys()]), [...values, replaces])
      }
      const row = await tables.encode('passwords', { userId, ...password })
      try {
        await run(statements.insert('passwords', [...row.keys()]), [...row.values()])
        return true
      } catch (error) {
        if (!dialect.isDuplicate(error)) throw error
        return change(statements.update('passwords', [...changes.keys()]), [...values, userId])
      }
    },
    async remove(userId, hash) {
      const key = await userKey(userId)
      if (key === null) return false
      return hash === undefined
        ? change(statements.removeOfUser('passwords'), [key])
        : change(passwords.removeWithHash(), [key, hash])
    },
  }
}
