import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'
import { CHUNK, splitInto } from '../in-chunks.ts'
import type { Upkeep } from './expiry/upkeep.ts'
import type { SqlTables } from './open-tables.ts'
import { dateFrom, detailsFrom, textFrom, unexpired } from './rows/row-values.ts'
import type { Row, Statement } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'

const TABLE = 'trackedSessions'

export function sqlTrackedSessions(tables: SqlTables, upkeep: Upkeep): TrackedSessions {
  const statements = tables.statements.rows

  const run = (statement: Statement, values: readonly unknown[]) =>
    tables.withTable(TABLE, () => tables.run(statement, values))

  async function renew({ id, ...changes }: Parameters<TrackedSessions['renew']>[0]) {
    const changed = await tables.encode(TABLE, changes)
    const statement = statements.update(TABLE, [...changed.keys()])
    const values = [...changed.values(), ...keyValues(TABLE, [id])]
    const { rows, numAffectedRows } = await run(statement, values)
    return rows.length > 0 || Boolean(numAffectedRows)
  }

  return {
    async add(session) {
      const row = await tables.encode(TABLE, session)
      try {
        await run(statements.insert(TABLE, [...row.keys()]), [...row.values()])
      } catch (error) {
        // A concurrent request has added it.
        if (!tables.dialect.isDuplicate(error)) throw error
        await renew(session)
      }
      await upkeep.afterAdding(TABLE)
    },
    renew,
    async list(userId, limit) {
      const { rows } = await run(statements.listOfUser(TABLE, limit), [userId])
      return (
        unexpired(rows)
          .map(trackedFrom)
          // A collation may find sessions of other users.
          .filter(session => session.userId === userId)
      )
    },
    remove: ({ id }) => run(statements.remove(TABLE), keyValues(TABLE, [id])),
    async removeSeveral(userId, ids) {
      const { amongValues } = tables.dialect.revocations
      for (const part of splitInto(ids, CHUNK)) {
        const statement = statements.removeSeveralOfUser(TABLE, part.length)
        await run(statement, [userId, ...amongValues(part)])
      }
    },
    removeAll: (userId, except) =>
      except === undefined
        ? run(statements.removeOfUser(TABLE), [userId])
        : run(statements.removeOthersOfUser(TABLE, 1), [userId, except]),
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
