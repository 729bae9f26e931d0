import type { Account, Adapter, AdapterUser } from '../base/model.ts'

/** The methods that tell who is in a user, where a store has them. */
export type InhabitantRows = Pick<Adapter, 'listAccounts' | 'listAuthenticatorsByUserId'>

/** Whether nobody gets into a user but by this account. False if the store cannot tell. */
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
