import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import type { TableNames } from '../schema/tables.ts'
import { type AccountStatements, accountStatements } from './account-statements.ts'
import {
  type AuthenticatorStatements,
  authenticatorStatements,
} from './authenticator-statements.ts'
import { type ExpiryStatements, expiryStatements } from './expiry-statements.ts'
import { type PasswordStatements, passwordStatements } from './password-statements.ts'
import { type RowStatements, rowStatements } from './row-statements.ts'
import { type SessionStatements, sessionStatements } from './session-statements.ts'
import { type SignUpStatement, signUpStatement } from './sign-up-statement.ts'
import { createStatementContext } from './statement-context.ts'
import { type UserStatements, userStatements } from './user-statements.ts'

/** The statements of an SQL adapter, by table: those that any table can have, and those of one. */
export interface Statements {
  readonly rows: RowStatements
  readonly users: UserStatements
  readonly accounts: AccountStatements
  readonly authenticators: AuthenticatorStatements
  readonly sessions: SessionStatements
  readonly passwords: PasswordStatements
  readonly signUp: SignUpStatement
  readonly expiry: ExpiryStatements
}

export function createStatements(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Statements {
  const context = createStatementContext(db, dialect, names)
  return {
    rows: rowStatements(context),
    users: userStatements(context),
    accounts: accountStatements(context),
    authenticators: authenticatorStatements(context),
    sessions: sessionStatements(context),
    passwords: passwordStatements(context),
    signUp: signUpStatement(context),
    expiry: expiryStatements(context),
  }
}
