import { primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import type { SetCookie } from '../../http/cookies.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import { provenName } from '../provider/credential-names.ts'
import type { Incoming } from '../request/incoming.ts'
import { type SealedCookie, sealedCookie } from './sealed-cookie.ts'

/** A browser that users have signed in with. */
export interface KnownBrowser {
  readonly id: string
  /** The accounts that were signed in to, the latest first. */
  readonly accounts: readonly KnownAccount[]
}

/** An account that a browser has signed in to. */
interface KnownAccount {
  /** Made of the name or address: see {@link accountDigest}. */
  readonly digest: string
  readonly userId: string
  /**
   * The earliest time of a revocation that makes the browser unknown, by the clock of the store; null if revocations are not
   * recorded.
   */
  readonly at: number | null
}

/** The cookie of a browser that users have signed in with. */
export const knownBrowserCookie: SealedCookie<KnownBrowser> = sealedCookie({
  option: 'knownBrowser',
  isBoundToBrowser: false,
  parse: ({ id, accounts }) =>
    typeof id === 'string' && Array.isArray(accounts)
      ? { id, accounts: accounts.filter(isKnownAccount) }
      : null,
})

/** Thirty days. The log keeps revocations of users for as long: see `createUserRevocations`. */
const MAX_AGE = 30 * 24 * 60 * 60
/** So that the cookie stays small. */
const MAX_ACCOUNTS = 4

/**
 * Returns the cookie by which the browser that has signed in is known from now on.
 *
 * @param readTime returns the earliest time of a revocation of the user that makes the browser unknown, by the clock of the
 *   store; undefined if revocations are not recorded
 */
export async function rememberBrowser(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
  readTime: (userId: string) => Promise<number | undefined>,
): Promise<readonly SetCookie[]> {
  const names = provenAccounts(config, request, identity)
  // A computer that is to forget its user remembers no account either.
  if (names.length === 0 || identity.limits?.tmp) return []
  const userId = String(identity.user.id)
  const at = (await readTime(userId)) ?? null
  const digests = await Promise.all(names.map(name => accountDigest(config, name)))
  const stored = await knownBrowserCookie.read(config, request)
  const earlier = stored?.accounts.filter(({ digest }) => !digests.includes(digest)) ?? []
  const browser: KnownBrowser = {
    id: stored?.id ?? config.ports.randomHex(16),
    accounts: [...digests.map(digest => ({ digest, userId, at })), ...earlier].slice(
      0,
      MAX_ACCOUNTS,
    ),
  }
  return knownBrowserCookie.write(config, request, browser, MAX_AGE)
}

/** Whether a browser has signed in to an account, and the sessions of its user were not all revoked since. */
export async function hasSignedInTo(
  { userRevocations }: Pick<ResolvedConfig, 'userRevocations'>,
  { accounts }: KnownBrowser,
  digest: string,
): Promise<boolean> {
  const account = accounts.find(each => each.digest === digest)
  if (!account) return false
  const last = (await userRevocations?.lastOf(account.userId)) ?? 0
  return last === 0 || (account.at !== null && last < account.at)
}

function isKnownAccount(value: unknown): value is KnownAccount {
  const { digest, userId, at } = Object(value)
  return (
    typeof digest === 'string' && typeof userId === 'string' && (at === null || Number.isFinite(at))
  )
}

/** Stands for a name or an address without revealing it. All spellings of one have the same digest. */
export async function accountDigest(
  { secrets }: Pick<ResolvedConfig, 'secrets'>,
  account: string,
): Promise<string> {
  const name = account.normalize('NFKC').trim().toLowerCase()
  const hash = await primitives.digest('SHA-256', `${PURPOSES.account} ${name} ${secrets[0]}`)
  return toBase64Url(hash).slice(0, 22)
}

/** The names that the user has proved to own. An address without proof does not count. */
function provenAccounts(
  { providers, adapter }: ResolvedConfig,
  { body }: Incoming,
  { account, user, isEmailProven }: ProvenIdentity,
): readonly string[] {
  const provider = providers.get(account.provider)
  if (provider?.type === 'credentials') {
    const name = provenName(provider, body)
    return name === undefined ? [] : [name]
  }
  const isProven =
    account.type === 'email' ||
    ('emailVerified' in user && user.emailVerified instanceof Date) ||
    (isEmailProven && !adapter)
  return isProven && user.email ? [user.email] : []
}
