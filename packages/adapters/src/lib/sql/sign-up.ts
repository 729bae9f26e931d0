import type { CreatedSignUp, NewSignUp } from '@siteauth/core/adapters'
import { lookalikeError, removeOrphan } from './insert-credential.ts'
import type { SqlTables } from './open-tables.ts'
import { findUserByEmail, storedUserFrom, storeUser } from './users.ts'

/** Stores a user with an account and perhaps a session; null if the account or the address has a user. */
export async function signUp(tables: SqlTables, given: NewSignUp): Promise<CreatedSignUp | null> {
  const { dialect } = tables
  const { provider, providerAccountId } = given.account
  for (;;) {
    try {
      return dialect.hasWritingCte
        ? await storeAtOnce(tables, given)
        : await storeInTransaction(tables, given)
    } catch (error) {
      if (!dialect.isDuplicate(error)) throw error
    }
    // Again, if the account belonged to a user who is gone.
    if (await removeOrphan(tables, 'accounts', [provider, providerAccountId])) continue
    if (given.user.email) await rejectLookalike(tables, given.user.email)
    return null
  }
}

/** With one statement, which is one round trip. */
async function storeAtOnce(tables: SqlTables, given: NewSignUp): Promise<CreatedSignUp> {
  const { user, account, session } = given
  const newUser = await tables.newUser(user)
  const newAccount = await tables.newRow('accounts', { ...account, userId: undefined })
  const newSession = session && (await tables.newRow('sessions', { ...session, userId: undefined }))
  const statement = tables.statements.signUp(
    [...newUser.keys()],
    await tables.typeColumns('accounts', newAccount),
    newSession ? await tables.typeColumns('sessions', newSession) : null,
  )
  const rows = [newUser, newAccount, ...(newSession ? [newSession] : [])]
  const values = rows.flatMap(row => [...row.values()])
  return signedUp(storedUserFrom(await tables.first(statement, values)), given)
}

async function storeInTransaction(tables: SqlTables, given: NewSignUp): Promise<CreatedSignUp> {
  const { user, account, session } = given
  const newUser = await tables.newUser(user)
  const newAccount = await tables.newRow('accounts', { ...account, userId: undefined })
  const newSession = session ? await tables.newRow('sessions', session) : null
  return tables.transact(async send => {
    const stored = await storeUser(tables, newUser, send)
    newAccount.set('userId', stored.id)
    await tables.insertRow('accounts', newAccount, send)
    newSession?.set('userId', stored.id)
    if (newSession) await tables.insertRow('sessions', newSession, send)
    return signedUp(stored, given)
  })
}

function signedUp(user: CreatedSignUp['user'], { account, session }: NewSignUp): CreatedSignUp {
  return {
    user,
    account: { ...account, userId: user.id },
    session: session ? { ...session, userId: user.id } : null,
  }
}

/** Throws if no user has the address, but its column considers that of another user equal. */
async function rejectLookalike(tables: SqlTables, email: string): Promise<void> {
  const { rows } = await tables.run(tables.statements.users.findByEmail(), [email])
  const isLookalike = rows.length > 0 && (await findUserByEmail(tables, email)) === null
  if (isLookalike) throw lookalikeError(`${tables.names.users} (email)`)
}
