import type { CreatedSignUp, NewSignUp } from '@siteauth/core/adapters'
import { insertAccount, isTaken } from './accounts.ts'
import type { MemoryTables } from './tables.ts'
import { findUserByEmail, insertUser } from './users.ts'

/** Stores a user with an account and perhaps a session; null if the account or the address has a user. */
export function signUp(
  tables: MemoryTables,
  { user, account, session }: NewSignUp,
): CreatedSignUp | null {
  if (user.email && findUserByEmail(tables, user.email)) return null
  if (isTaken(tables, account)) return null
  const stored = insertUser(tables, user)
  const linked = { ...account, userId: stored.id }
  insertAccount(tables, linked)
  const signedIn = session ? { ...session, userId: stored.id } : null
  if (signedIn) tables.sessions.set(signedIn.sessionToken, signedIn)
  return { user: { ...stored }, account: linked, session: signedIn }
}
