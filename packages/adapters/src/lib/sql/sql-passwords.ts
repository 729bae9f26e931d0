import type { PasswordStore } from '@siteauth/core/adapters'
import type { SqlDialect } from './dialect.ts'
import type { Send } from './open-database.ts'
import { dateFrom, textFrom } from './row-values.ts'
import type { Statements } from './statements/statements.ts'

/** What keeping passwords takes of an SQL database. */
interface PasswordParts {
  readonly statements: Statements
  readonly dialect: Pick<SqlDialect, 'isDuplicate'>
  readonly run: Send
  /** The members of a record that the table has a column for, as the driver takes them. */
  readonly encode: (record: object) => Promise<ReadonlyMap<string, unknown>>
  /** The id as the users table would have it, or null when no user can have such an id. */
  readonly userKey: (id: string) => Promise<string | null>
}

/** Passwords, as rows. */
export function createSqlPasswords(parts: PasswordParts): PasswordStore {
  const { statements, dialect, run, encode, userKey } = parts

  async function change(statement: Parameters<Send>[0], values: readonly unknown[]) {
    const { rows, numAffectedRows } = await run(statement, values)
    return rows.length > 0 || Boolean(numAffectedRows)
  }

  return {
    async get(userId) {
      // Asked also for an id that nobody can have: who is unknown is to take as long.
      const key = await userKey(userId)
      const { rows } = await run(statements.rows.findOfUser('passwords'), [key])
      // A collation may find more than was asked for.
      const row = rows.find(each => textFrom(each['userId']) === userId)
      if (!row) return null
      const changedAt = dateFrom(row['changedAt']) ?? new Date(0)
      return { userId, hash: textFrom(row['hash']), changedAt }
    },
    async set({ userId, ...password }, replaces) {
      const changes = await encode(password)
      const replacing = [...changes.values(), userId]
      if (replaces !== undefined) {
        return change(statements.passwords.replace([...changes.keys()]), [...replacing, replaces])
      }
      const row = await encode({ userId, ...password })
      try {
        await run(statements.rows.insert('passwords', [...row.keys()]), [...row.values()])
        return true
      } catch (error) {
        if (!dialect.isDuplicate(error)) throw error
        const update = statements.rows.update('passwords', [...changes.keys()])
        return change(update, [...replacing, userId])
      }
    },
    async remove(userId) {
      const key = await userKey(userId)
      return key !== null && change(statements.rows.removeOfUser('passwords'), [key])
    },
  }
}
