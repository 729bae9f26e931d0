import type { Limiter } from '@siteauth/core/adapters'
import type { Upkeep } from './expiry/upkeep.ts'
import type { SqlTables } from './open-tables.ts'
import { firstAttempt } from './statements/limit-sql.ts'
import { limitStatements } from './statements/limit-statements.ts'
import type { Statement } from './statements/statement.ts'

export function sqlLimiter(tables: SqlTables, upkeep: Upkeep): Limiter {
  const { database, dialect, names } = tables
  const { limits } = dialect
  const statements = limitStatements(database.db, dialect, names.limits)

  const run = (statement: Statement, values: readonly unknown[]) =>
    tables.withTable('limits', () => tables.run(statement, values))

  return {
    async take(key, rule, now) {
      const values = [...firstAttempt(key, rule, now), ...limits.moreValues(key, now)]
      const wait = limits.waitFrom(await run(statements.take(rule), values))
      if (wait === 0) await upkeep.afterAdding('limits')
      if (wait !== undefined) return wait
      const { rows } = await run(statements.find(), [key])
      return Math.max(Number(rows[0]?.['next'] ?? 0) - now, 1)
    },
    forget: key => run(statements.forget(), [key]),
  }
}
