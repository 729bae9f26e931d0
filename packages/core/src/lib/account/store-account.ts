import type { EventCallbacks } from '../base/callbacks.ts'
import type { Account, Adapter, AdapterAccount, AdapterUser } from '../base/model.ts'
import type { AccountRows, Arrival } from './arrival.ts'
import { isSameUser } from './decide-link.ts'

/** Whose account this is, as far as the store can be believed: some take `ABC` for `abc`. */
export async function findUserByAccount(
  rows: Pick<AccountRows, 'getUserByAccount' | 'getAccount' | 'createUserWithAccount'>,
  { provider, providerAccountId }: Pick<Account, 'provider' | 'providerAccountId'>,
): Promise<AdapterUser | null> {
  const user = await rows.getUserByAccount({ provider, providerAccountId })
  // Ours compare byte for byte.
  if (!user || !rows.getAccount || rows.createUserWithAccount) return user
  const account = await rows.getAccount(providerAccountId, provider)
  const isIt = !account || account.providerAccountId === providerAccountId
  return isIt ? user : null
}

/** Links an account and tells of it. False where the account belongs to somebody else by now. */
export async function linkAccount(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  arrival: Arrival,
): Promise<boolean> {
  const row = await storeAccount(rows, user, arrival)
  if (row && row !== 'known') {
    await events.linkAccount?.({ user, account: row, profile: arrival.user })
  }
  return row !== null
}

/** Links an account. Its row; `known` where it was there already, null where it is somebody else's. */
export async function storeAccount(
  rows: AccountRows,
  user: AdapterUser,
  arrival: Arrival,
): Promise<AdapterAccount | 'known' | null> {
  const { account, stored } = arrival
  const row = { ...stored, ...identityOf(account), userId: user.id } as AdapterAccount // no credentials come here
  try {
    await rows.linkAccount(row)
  } catch (error) {
    const owner = await findUserByAccount(rows, arrival.account)
    if (owner) return isSameUser(owner, user) ? 'known' : null
    if (!(await removeGhost(rows, arrival))) throw error
    await rows.linkAccount(row)
  }
  return row
}

/**
 * Removes an account whose user is gone, as tables without foreign keys keep them: it would keep the
 * person from signing up for ever. Whether there may have been one.
 */
export async function removeGhost(rows: AccountRows, arrival: Arrival): Promise<boolean> {
  const { provider, providerAccountId } = arrival.account
  if (!rows.unlinkAccount || (await findUserByAccount(rows, arrival.account))) return false
  const account = await rows.getAccount?.(providerAccountId, provider)
  if (rows.getAccount && account?.providerAccountId !== providerAccountId) return false
  if (account && (await rows.getUser(account.userId))) return false
  await rows.unlinkAccount({ provider, providerAccountId })
  return true
}

/** What names an account, and how it came. */
export function identityOf({
  provider,
  providerAccountId,
  type,
}: Account): Pick<AdapterAccount, 'provider' | 'providerAccountId' | 'type'> {
  return { provider, providerAccountId, type: type as AdapterAccount['type'] } // no credentials come here
}

/** The methods that tell who is in a user, where a store has them. */
export type InhabitantRows = Pick<Adapter, 'listAccounts' | 'listAuthenticatorsByUserId'>

/** Whether nobody gets into a user but by this account. False where the store cannot tell. */
export async function isAloneIn(
  rows: InhabitantRows,
  user: AdapterUser,
  { provider, providerAccountId }: Pick<Account, 'provider' | 'providerAccountId'>,
): Promise<boolean> {
  if (!rows.listAccounts) return false
  const accounts = await rows.listAccounts(user.id)
  const passkeys = (await rows.listAuthenticatorsByUserId?.(user.id)) ?? []
  return (
    passkeys.length === 0 &&
    accounts.every(
      each => each.provider === provider && each.providerAccountId === providerAccountId,
    )
  )
}
