import type { CreatedSignUp, NewSignUp } from '@siteauth/core/adapters'
import { writeAccount } from './accounts.ts'
import type { RedisTables } from './open-tables.ts'
import { createSession } from './sessions.ts'
import { deleteUser } from './users.ts'

/** Stores a user with an account and perhaps a session; null if the account or the address has a user. */
export async function signUp(
  tables: RedisTables,
  { user, account, session }: NewSignUp,
): Promise<CreatedSignUp | null> {
  const { users } = tables
  // The user cannot be found before the account points to it, and then the sign-up can be repeated.
  const stored = await users.create(user)
  const linked = { ...account, userId: stored.id }
  const isFirst = await writeAccount(tables, linked)
  // Before anyone can find the user by the address, prove it, and sign everyone out.
  const signedIn =
    session && isFirst ? await createSession(tables, { ...session, userId: stored.id }) : null
  if (!isFirst || (stored.email && !(await users.claimEmail(stored)))) {
    await deleteUser(tables, stored.id)
    return null
  }
  return { user: stored, account: linked, session: signedIn }
}
