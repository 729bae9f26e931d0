import type { AccountKey, ClaimedUser, UserClaim } from '@siteauth/core/adapters'
import type { ClaimMethods } from '../adapter-methods.ts'
import { isUnchanged } from '../link-condition.ts'
import type { OwnedTable } from '../table-rules.ts'
import { accountFrom } from './accounts.ts'
import type { Send } from './open-database.ts'
import type { SqlTables } from './open-tables.ts'
import type { NewRow } from './rows/row-encoder.ts'
import { textFrom } from './rows/row-values.ts'
import { isSameId } from './rows/user-id.ts'
import type { Row } from './statements/statement.ts'
import { userFrom } from './users.ts'

export function sqlClaims(tables: SqlTables): ClaimMethods {
  return {
    async claimUser(claim) {
      const { emailVerified, user } = claim
      const userKey = await tables.userKey(user.id)
      if (userKey === null) return null
      // All that may need another connection comes before the transaction.
      const has = await findExistingTables(tables)
      const changes = emailVerified && (await tables.encode('users', { emailVerified }))
      return tables.transact(send => claimLocked({ tables, send, userKey, has }, claim, changes))
    },
  }
}

/** The tables that exist: those of Auth.js, and older ones, may lack some. Another process may have added one since. */
async function findExistingTables({ shapes }: SqlTables): Promise<UserTransaction['has']> {
  let existing = await shapes.all()
  if (CLAIMED.some(table => !existing[table])) {
    shapes.forget()
    existing = await shapes.all()
  }
  return table => existing[table] !== undefined
}

const CLAIMED = ['accounts', 'authenticators', 'passwords', 'sessions'] as const

/** A transaction about one user. */
interface UserTransaction {
  readonly tables: SqlTables
  readonly send: Send
  readonly userKey: string
  /** Whether a table exists. */
  readonly has: (table: OwnedTable) => boolean
}

/** The row of the user is locked first, as `linkAccountIf` does: either it finds the address proved, or this finds its account. */
async function claimLocked(
  transaction: UserTransaction,
  { user, account }: UserClaim,
  changes: NewRow | null,
): Promise<ClaimedUser | null> {
  const { tables, send, userKey } = transaction
  const { run, first, statements } = tables
  const row = await first(statements.users.lock(), [userKey], send)
  const current = row && userFrom(row)
  const read = { user: { email: user.email, emailVerified: null } }
  if (!current || !isSameId(current.id, user.id) || !isUnchanged(current, read)) return null
  const removed = account ? await requireAlone(transaction, account) : await removeAll(transaction)
  if (!removed) return null
  const isEmpty = !removed.accounts.length && !removed.passkeys.length && !removed.hadPassword
  if (!changes || !isEmpty) return { ...removed, user: null }
  const values = [...changes.values(), userKey]
  await run(statements.rows.update('users', [...changes.keys()]), values, send)
  const proved = await first(statements.rows.find('users'), [userKey], send)
  return { ...removed, user: proved && userFrom(proved) }
}

type Removed = Omit<ClaimedUser, 'user'>

const NOTHING: Removed = { accounts: [], passkeys: [], hadPassword: false, sessions: 0 }

/** Nothing, or null if the account is not the user's, or the user can sign in with anything else. */
async function requireAlone(
  transaction: UserTransaction,
  { provider, providerAccountId }: AccountKey,
): Promise<Removed | null> {
  const [row, ...others] = await findOf(transaction, 'accounts')
  const linked = row && accountFrom(row)
  if (linked?.provider !== provider || linked.providerAccountId !== providerAccountId) return null
  const passkeys = await findOf(transaction, 'authenticators')
  const passwords = await findOf(transaction, 'passwords')
  return others.length + passkeys.length + passwords.length === 0 ? NOTHING : null
}

async function removeAll(transaction: UserTransaction): Promise<Removed> {
  const rows = await findOf(transaction, 'accounts')
  const passkeys = await findOf(transaction, 'authenticators')
  if (rows.length > 0) await removeOf(transaction, 'accounts')
  if (passkeys.length > 0) await removeOf(transaction, 'authenticators')
  return {
    accounts: rows.map(accountFrom).map(({ provider, providerAccountId, type }) => {
      return { provider, providerAccountId, type }
    }),
    passkeys: passkeys.map(({ credentialID }) => ({ credentialID: textFrom(credentialID) })),
    hadPassword: (await removeOf(transaction, 'passwords')) > 0,
    sessions: await removeOf(transaction, 'sessions'),
  }
}

async function findOf(
  { tables: { statements, run }, send, userKey, has }: UserTransaction,
  table: OwnedTable,
): Promise<readonly Row[]> {
  if (!has(table)) return []
  return (await run(statements.rows.findOfUser(table), [userKey], send)).rows
}

/** Returns how many rows there were. */
async function removeOf(
  { tables: { statements, run }, send, userKey, has }: UserTransaction,
  table: OwnedTable,
): Promise<number> {
  if (!has(table)) return 0
  const { numAffectedRows } = await run(statements.rows.removeOfUser(table), [userKey], send)
  return Number(numAffectedRows ?? 0)
}
