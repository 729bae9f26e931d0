import { sql } from 'kysely'
import type { Columns, Statement } from './statement.ts'
import { equal, type StatementContext, VALUE } from './statement-context.ts'

export interface SessionStatements {
  /** Finds a session with its user. */
  read(): Statement
  /** Finds a session, with the time of the database as `store_now`. */
  findWithTime(): Statement
  /** Also renews the session if it is due. Only for databases whose reading statements can write. */
  readAndRenew(columns: Columns): Statement
  renew(columns: Columns): Statement
}

export function sessionStatements(context: StatementContext): SessionStatements {
  const { cache, dialect, table, hasKey } = context
  const sessionAndUser = sql`
    u.*, s.${sql.id('sessionToken')} as session_token, s.expires as session_expires`
  const ofItsUser = sql`
    from ${table('sessions')} s join ${table('users')} u on u.id = s.${sql.id('userId')}
    where s.${sql.id('sessionToken')} = ${VALUE}`
  return {
    read: () => cache('read session', () => sql`select ${sessionAndUser} ${ofItsUser}`),
    findWithTime: () =>
      cache('find session with time', () => {
        return sql`select r.*, ${dialect.clock} as store_now from ${table('sessions')} r where ${hasKey('sessions')}`
      }),
    readAndRenew: columns =>
      cache(`read and renew session ${columns}`, () => {
        return sql`
          with renewed as (
            update ${table('sessions')} set ${equal(columns)}
            where ${sql.id('sessionToken')} = ${VALUE} and expires > ${VALUE}
              and (expires <= ${VALUE} or expires > ${VALUE})
            returning expires
          )
          select ${sessionAndUser}, (select expires from renewed) as renewed_expires ${ofItsUser}`
      }),
    renew: columns =>
      cache(`renew session ${columns}`, () => {
        return sql`update ${table('sessions')} set ${equal(columns)} where ${hasKey('sessions')}`
      }),
  }
}
