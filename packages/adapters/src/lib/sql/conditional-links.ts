import type { ConditionalLink, LinkCondition, LinkOutcome } from '@siteauth/core/adapters'
import type { LinkMethods } from '../adapter-methods.ts'
import { answerable, isRevoked, isUnchanged, storedOutcome } from '../link-condition.ts'
import { removeOrphan } from './insert-credential.ts'
import type { Send } from './open-database.ts'
import type { SqlTables } from './open-tables.ts'
import type { SqlRevocations } from './revocations.ts'
import type { NewRow } from './rows/row-encoder.ts'
import { unexpired } from './rows/row-values.ts'
import { isSameId } from './rows/user-id.ts'
import type { CredentialKey } from './statements/row-statements.ts'
import { keyValues } from './statements/statement-context.ts'
import { userFrom } from './users.ts'

/** A row of an account or a passkey, to be inserted. */
interface Credential {
  readonly table: CredentialKey
  readonly id: readonly string[]
  readonly row: NewRow
}

export function sqlLinks(tables: SqlTables, revocations: SqlRevocations): LinkMethods {
  return {
    async linkAccountIf(link) {
      const userKey = await tables.userKey(link.account.userId)
      if (userKey === null) return 'changed'
      // All that may need another connection comes before the transaction.
      const credentials = await toCredentials(tables, link)
      const store = () =>
        tables.transact(async send => {
          if (!(await holds(tables, revocations, { ...link, userKey }, send))) return 'changed'
          for (const { table, row } of credentials) await tables.insertRow(table, row, send)
          return storedOutcome(link.condition, answerable(revocations.log, link.condition))
        })
      return storeOnce(tables, credentials, store)
    },
  }
}

async function toCredentials(
  tables: SqlTables,
  { account, authenticator }: ConditionalLink,
): Promise<readonly Credential[]> {
  const { provider, providerAccountId } = account
  const row = await tables.newRow('accounts', account)
  const linked: Credential = { table: 'accounts', id: [provider, providerAccountId], row }
  if (!authenticator) return [linked]
  const passkey = await tables.newRow('authenticators', authenticator)
  return [linked, { table: 'authenticators', id: [authenticator.credentialID], row: passkey }]
}

/** Stores the rows, in place of those with the same keys whose user is gone. */
async function storeOnce(
  tables: SqlTables,
  credentials: readonly Credential[],
  store: () => Promise<LinkOutcome>,
): Promise<LinkOutcome> {
  try {
    return await store()
  } catch (error) {
    if (!tables.dialect.isDuplicate(error)) throw error
  }
  let removed = 0
  for (const { table, id } of credentials) removed += Number(await removeOrphan(tables, table, id))
  if (removed === 0) return 'taken'
  try {
    return await store()
  } catch (error) {
    if (tables.dialect.isDuplicate(error)) return 'taken'
    throw error
  }
}

/**
 * Whether a condition holds. The row of the user is locked first: whoever changes it, as the owner of an address does who
 * proves it, waits until the account is stored, and removes it then.
 */
async function holds(
  tables: SqlTables,
  revocations: SqlRevocations,
  { account, condition, userKey }: ConditionalLink & { readonly userKey: string },
  send: Send,
): Promise<boolean> {
  const row = await tables.first(tables.statements.users.lock(), [userKey], send)
  const user = row && userFrom(row)
  if (!user || !isSameId(user.id, account.userId) || !isUnchanged(user, condition)) return false
  const { sessionToken } = condition
  if (sessionToken !== undefined && !(await hasSession(tables, user.id, sessionToken, send))) {
    return false
  }
  const unrevoked = answerable(revocations.log, condition)
  if (!unrevoked) return true
  const keys = unrevoked.keys.map(({ key }) => key)
  return !isRevoked(await revocations.find(keys, send), unrevoked)
}

async function hasSession(
  tables: SqlTables,
  userId: string,
  sessionToken: LinkCondition['sessionToken'],
  send: Send,
): Promise<boolean> {
  const values = keyValues('sessions', [sessionToken])
  const { rows } = await tables.run(tables.statements.sessions.findWithTime(), values, send)
  return unexpired(rows).some(row => String(row['userId']) === userId)
}
