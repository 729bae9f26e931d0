import { sql } from 'kysely'
import type { Columns, Statement, TableKey } from './statement.ts'
import { list, type StatementContext, VALUE } from './statement-context.ts'

/** Columns by name, with their types as the database reports them. */
export type TypedColumns = readonly (readonly [name: string, type: string])[]

/** Inserts the two or three rows of a sign-up in one round trip, which is a transaction by itself. */
export type SignUpStatement = (
  user: Columns,
  account: TypedColumns,
  session: TypedColumns | null,
) => Statement

/** Only for databases whose statements can insert into several tables. */
export function signUpStatement(context: StatementContext): SignUpStatement {
  const { cache, table, insertion } = context

  /** An insertion for the user that the same statement stores. */
  const ownedInsertion = (key: TableKey, columns: TypedColumns) => {
    // The types of bare parameters in a select list are not derived from the columns.
    const values = columns.map(([, type]) => sql`cast(${VALUE} as ${sql.raw(unlimited(type))})`)
    return sql`insert into ${table(key)} (${list(columns.map(([name]) => name))}, ${sql.id('userId')})
      select ${sql.join(values)}, id from new_user`
  }

  return (user, account, session) =>
    cache(`sign up ${JSON.stringify([user, account, session])}`, () => {
      const newSession = session
        ? sql`, new_session as (${ownedInsertion('sessions', session)})`
        : sql``
      return sql`with new_user as (${insertion('users', user)} returning *),
          new_account as (${ownedInsertion('accounts', account)})${newSession}
          select * from new_user`
    })
}

// A cast to a type with a length would silently truncate values that do not fit.
function unlimited(type: string): string {
  return type.replace(/^character\(\d+\)/, 'bpchar').replace(/\([\d,]+\)/, '')
}
