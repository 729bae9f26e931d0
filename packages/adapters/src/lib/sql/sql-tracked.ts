import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'
import type { SqlDialect } from './dialect.ts'
import type { Send } from './open-database.ts'
import { dateFrom, detailsFrom, textFrom } from './row-values.ts'
import type { Row } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'
import type { Statements } from './statements/statements.ts'

/** What keeping sessions in cookies takes of an SQL database. */
interface TrackedParts {
  readonly statements: Statements
  readonly dialect: Pick<SqlDialect, 'isDuplicate'>
  readonly run: Send
  /** The members of a record that the table has a column for, as the driver takes them. */
  readonly encode: (record: object) => Promise<ReadonlyMap<string, unknown>>
}

/** Sessions in cookies, as rows. */
export function createSqlTracked(parts: TrackedParts): TrackedSessions {
  const { statements, dialect, run, encode } = parts

  async function renew({ id, ...changes }: Parameters<TrackedSessions['renew']>[0]) {
    const changed = await encode(changes)
    const statement = statements.rows.update('trackedSessions', [...changed.keys()])
    const values = [...changed.values(), ...keyValues('trackedSessions', [id])]
    const { rows, numAffectedRows } = await run(statement, values)
    return rows.length > 0 || Boolean(numAffectedRows)
  }

  return {
    async add(session) {
      const row = await encode(session)
      try {
        await run(statements.rows.insert('trackedSessions', [...row.keys()]), [...row.values()])
      } catch (error) {
        // Somebody was faster.
        if (!dialect.isDuplicate(error)) throw error
        await renew(session)
      }
    },
    renew,
    async list(userId, limit) {
      const { rows } = await run(statements.rows.findLastOfUser('trackedSessions', limit), [userId])
      const now = Date.now()
      return (
        rows
          .map(trackedFrom)
          // A collation may find more than was asked for.
          .filter(each => each.userId === userId && each.expires.getTime() > now)
      )
    },
    remove: ({ id }) =>
      run(statements.rows.remove('trackedSessions'), keyValues('trackedSessions', [id])),
    removeAll: (userId, except) =>
      except === undefined
        ? run(statements.rows.removeOfUser('trackedSessions'), [userId])
        : run(statements.rows.removeOthersOfUser('trackedSessions'), [userId, except]),
  }
}

function trackedFrom(row: Row): TrackedSession {
  return {
    id: textFrom(row['id']),
    userId: textFrom(row['userId']),
    expires: dateFrom(row['expires']) ?? new Date(0),
    ...detailsFrom(row),
  }
}
