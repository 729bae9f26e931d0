import type { AdapterAccount, AdapterUser } from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { InvalidCheck } from '../base/errors.ts'
import type { Account } from '../base/user.ts'
import { type AccountIssuer, requireIssuer } from './account-issuer.ts'
import { isSameUser } from './decide-link.ts'
import type { AccountMethods, ProviderSignIn } from './provider-sign-in.ts'

import { type LinkPermission, NO_PERMISSION_NEEDED, storeLink } from './store-link.ts'

/**
 * Finds the user of this account, as far as the store can be believed: some take `ABC` for `abc`. Throws if the
 * stored account may be of another issuer.
 */
export async function findUserByAccount(
  rows: Pick<AccountMethods, 'getUserByAccount' | 'getAccount' | 'createUserWithAccount'>,
  { provider, providerAccountId }: Pick<Account, 'provider' | 'providerAccountId'>,
  issuer: AccountIssuer,
): Promise<AdapterUser | null> {
  const user = await rows.getUserByAccount({ provider, providerAccountId })
  // Ours compare byte for byte.
  const needsRow = issuer.isStored || !rows.createUserWithAccount
  const account = user && needsRow ? await rows.getAccount?.(providerAccountId, provider) : null
  if (account && account.providerAccountId !== providerAccountId) return null
  if (user) requireIssuer(account ?? { provider }, issuer)
  return user
}

/** Links an account and reports it. False if the account belongs to another user by now. */
export async function linkAccount(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<boolean> {
  const row = await storeAccount(rows, user, signIn, NO_PERMISSION_NEEDED)
  if (row === null || row === 'changed') return false
  if (row !== 'existing') await events.linkAccount?.({ user, account: row, profile: signIn.user })
  return true
}

/**
 * Links an account if that is still permitted. Its row; `existing` if it was there already, null if it is someone else's, and
 * `changed` if the user row is not what it was.
 */
export async function storeAccount(
  rows: AccountMethods,
  user: AdapterUser,
  signIn: ProviderSignIn,
  permission: LinkPermission,
): Promise<AdapterAccount | 'existing' | 'changed' | null> {
  const { account, stored } = signIn
  const row = { ...stored, ...identityOf(account), userId: user.id } as AdapterAccount // no credentials come here
  const store = () => storeLink(rows, user, { account: row }, permission)
  let failure: unknown
  try {
    const outcome = await store()
    if (outcome !== 'taken') return outcome === 'linked' ? row : outcome
  } catch (error) {
    // Some stores throw if the account is taken.
    if (error instanceof InvalidCheck) throw error
    failure = error
  }
  const owner = await findUserByAccount(rows, signIn.account, signIn.issuer)
  if (owner) return isSameUser(owner, user) ? 'existing' : null
  if (await removeGhost(rows, signIn)) return (await store()) === 'linked' ? row : null
  if (failure !== undefined) throw failure
  return null
}

/**
 * Removes an account whose user was deleted, as tables without foreign keys keep them: it would prevent the person
 * from signing up forever. Returns whether there may have been one.
 */
export async function removeGhost(rows: AccountMethods, signIn: ProviderSignIn): Promise<boolean> {
  const { provider, providerAccountId } = signIn.account
  if (!rows.unlinkAccount || (await findUserByAccount(rows, signIn.account, signIn.issuer))) {
    return false
  }
  const account = await rows.getAccount?.(providerAccountId, provider)
  if (rows.getAccount && account?.providerAccountId !== providerAccountId) return false
  if (account && (await rows.getUser(account.userId))) return false
  const only = account ? [{ userId: account.userId }] : []
  await rows.unlinkAccount({ provider, providerAccountId }, ...only)
  return true
}

/** Columns with null, by which the tokens of an account are deleted. */
export const NO_TOKENS: Partial<AdapterAccount> = Object.fromEntries(
  ['access_token', 'refresh_token', 'id_token', 'expires_at'].map(column => [column, null]),
)

/** The key of an account, and the data that it arrived with. */
export function identityOf({
  provider,
  providerAccountId,
  type,
}: Account): Pick<AdapterAccount, 'provider' | 'providerAccountId' | 'type'> {
  return { provider, providerAccountId, type: type as AdapterAccount['type'] } // no credentials come here
}

/** Whether this account is the only way to sign in as a user. False where the store cannot tell. */
export async function isOnlySignInMethod(
  rows: Pick<AccountMethods, 'listAccounts' | 'listAuthenticatorsByUserId' | 'passwords'>,
  user: AdapterUser,
  { provider, providerAccountId }: Pick<Account, 'provider' | 'providerAccountId'>,
): Promise<boolean> {
  if (!rows.listAccounts) return false
  const accounts = await rows.listAccounts(user.id)
  const passkeys = (await rows.listAuthenticatorsByUserId?.(user.id)) ?? []
  // One that was imported may be that of the person who has typed the address.
  const password = (await rows.passwords?.get(user.id)) ?? null
  return (
    passkeys.length === 0 &&
    password === null &&
    accounts.every(
      each => each.provider === provider && each.providerAccountId === providerAccountId,
    )
  )
}
