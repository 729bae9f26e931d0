import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from '../../base/adapter.ts'
import { AdapterError } from '../../base/errors.ts'

/** The dependencies of unlinking an account. */
interface UnlinkDependencies {
  readonly user: AdapterUser
  /** The accounts of the user, as they are stored. */
  list(): Promise<readonly AdapterAccount[]>
  readonly rows: Required<Pick<Adapter, 'linkAccount' | 'unlinkAccount'>> & {
    readonly [Name in 'leaseAccount' | 'updateAccount']: Adapter[Name] | undefined
  }
  /** Whether the user can sign in without any account. */
  hasOtherSignInMethod(): Promise<boolean>
  /** Whether an account can be used to sign in. */
  canSignIn(account: AdapterAccount): boolean
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
  readonly wait: (milliseconds: number) => Promise<void>
}

const LEASE = 30_000
const LEASE_TIMEOUT = 35_000
const WAIT = 100

/**
 * Unlinks an account, unless it is the only way to sign in as the user. The caller leases all of the user's accounts,
 * always in the same order: two callers that unlink one each take turns, and no tokens are refreshed meanwhile. Null
 * if it was unlinked.
 */
export async function unlinkSafely(
  dependencies: UnlinkDependencies,
  key: AccountKey,
): Promise<'no_account' | 'only_sign_in_method' | null> {
  const { rows, list } = dependencies
  const { leaseAccount, updateAccount } = rows
  if (!leaseAccount || !updateAccount) return unlinkAndLook(dependencies, key)
  // By its beginning, stores know it from a lease that ends with the next sign-in.
  const holder = `unlink:${dependencies.randomHex(16)}`
  for (let waited = 0; waited < LEASE_TIMEOUT; waited += WAIT) {
    const accounts = inOrder(await list())
    if (!accounts.some(each => isSame(each, key))) return 'no_account'
    const leased: AdapterAccount[] = []
    const begunAt = dependencies.now()
    try {
      for (const account of accounts) {
        const time = dependencies.now()
        const lease = { holder, now: new Date(time), until: new Date(time + LEASE) }
        if (!(await leaseAccount(account, lease))) break
        leased.push(account)
      }
      // Once all are leased, no other caller unlinks one; some may have been removed since they were listed.
      const isAlone = leased.length === accounts.length
      if (isAlone && sameAccounts(accounts, inOrder(await list()))) {
        if (await isOnlySignInMethod(dependencies, accounts, key)) return 'only_sign_in_method'
        // Another caller could have leased them by the time that this one is unlinked.
        if (dependencies.now() - begunAt >= LEASE / 2) throw inUse()
        await rows.unlinkAccount(key, ownedBy(dependencies))
        return null
      }
    } finally {
      for (const { provider, providerAccountId } of leased) {
        // A lease that cannot be given back ends by itself.
        await Promise.resolve(updateAccount({ provider, providerAccountId }, { holder })).catch(
          () => null,
        )
      }
    }
    await dependencies.wait(WAIT)
  }
  throw inUse()
}

function inUse(): AdapterError {
  return new AdapterError('The accounts of the user are in use elsewhere. Try again later.')
}

/** Without leases: puts the account back where it turns out that none is left. */
async function unlinkAndLook(
  dependencies: UnlinkDependencies,
  key: AccountKey,
): Promise<'no_account' | 'only_sign_in_method' | null> {
  const accounts = await dependencies.list()
  const account = accounts.find(each => isSame(each, key))
  if (!account) return 'no_account'
  if (await isOnlySignInMethod(dependencies, accounts, key)) return 'only_sign_in_method'
  await dependencies.rows.unlinkAccount(key, ownedBy(dependencies))
  if (!(await isOnlySignInMethod(dependencies, await dependencies.list(), key))) return null
  await dependencies.rows.linkAccount(account)
  return 'only_sign_in_method'
}

/** Of another user's, nothing is removed, should the account have become theirs meanwhile. */
function ownedBy({ user }: UnlinkDependencies): { readonly userId: string } {
  return { userId: String(user.id) }
}

async function isOnlySignInMethod(
  dependencies: UnlinkDependencies,
  accounts: readonly AdapterAccount[],
  key: AccountKey,
): Promise<boolean> {
  const others = accounts.filter(each => !isSame(each, key) && dependencies.canSignIn(each))
  return others.length === 0 && !(await dependencies.hasOtherSignInMethod())
}

function isSame(one: AccountKey, other: AccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}

function inOrder(accounts: readonly AdapterAccount[]): readonly AdapterAccount[] {
  const nameOf = ({ provider, providerAccountId }: AccountKey) =>
    JSON.stringify([provider, providerAccountId])
  return [...accounts].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

function sameAccounts(some: readonly AdapterAccount[], others: readonly AdapterAccount[]): boolean {
  return some.length === others.length && some.every((each, at) => isSame(each, others[at] ?? each))
}
