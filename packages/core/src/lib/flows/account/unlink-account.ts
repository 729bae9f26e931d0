import type { AccountKey, Adapter, AdapterAccount } from '../../base/adapter.ts'
import { InvalidRequest, MissingAdapterMethods } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { acceptsHtml } from '../../http/accepts-html.ts'
import { type JsonAnswer, json, type Outgoing, redirect } from '../../http/response.ts'
import { getStoredUser } from '../../principal/get-principal.ts'
import { isEnded } from '../../tokens/token-set.ts'
import { hasWayWithoutAccount } from '../provider/sign-in-methods.ts'
import { tokenRuntime } from '../provider/token-runtime.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { accountsOf, openAccount } from './stored-token.ts'
import { unlinkSafely } from './unlink-with-leases.ts'

/** What names an account to its owner. */
export interface NamedAccount {
  /** The provider's id, such as `github`. */
  readonly provider: string
  /** Who they are at the provider. */
  readonly accountId: string
}

/** An account of whoever is signed in, without its tokens. */
export interface ListedAccount extends NamedAccount {
  /** What the person agreed to, as far as the provider said. */
  readonly scopes: readonly string[]
  /** When the access token expires. Null if the provider did not say, or there is none. */
  readonly expiresAt: Date | null
  /** Whether a new access token can be had without the person. */
  readonly canRefresh: boolean
  /** `RefreshTokenError` if the person has to sign in with it again. */
  readonly error: 'RefreshTokenError' | null
}

/** What is known of a user beyond what is stored. */
export interface UnlinkOptions {
  /** Whether the user can sign in by other means, such as a password of yours. Defaults to false. */
  readonly hasOtherSignInMethod?: boolean | undefined
}

/** Whether an account was unlinked, and if not, why. */
export interface UnlinkAnswer extends JsonAnswer {
  readonly body: UnlinkedAccount
}

/** Whether an account was unlinked, and if not, why. */
export interface UnlinkedAccount {
  readonly unlinked: boolean
  /** Why not: the user has no such account, or could not sign in without it. */
  readonly reason: 'no_account' | 'only_sign_in_method' | null
}

/** `GET accounts` */
export async function answerAccounts(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  return json(await listAccounts(config, request))
}

/** `POST accounts/unlink`: one, by `provider` and `accountId`. */
export async function answerUnlink(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { provider, accountId } = request.body
  if (typeof provider !== 'string' || typeof accountId !== 'string') {
    throw new InvalidRequest('Name the account to unlink by provider and accountId.')
  }
  const answer = await unlinkAccount(config, request, { provider, accountId })
  // A form leads somewhere. A script wants to know.
  return acceptsHtml(request.headers)
    ? redirect(await chooseReturn(config, request), answer.cookies)
    : answer
}

/** The accounts of whoever is signed in. Empty where nobody is, or nothing is stored. */
export async function listAccounts(
  config: ResolvedConfig,
  request: Incoming,
): Promise<readonly ListedAccount[]> {
  const { adapter } = config
  const user = await getStoredUser(config, request)
  if (!adapter || !user) return []
  const accounts = (await accountsOf(config, adapter, String(user.id))) ?? lacksList()
  return Promise.all(accounts.map(async each => listed(await openAccount(config, each))))
}

/** Unlinks an account of whoever is signed in. One of somebody else is as unknown as one that is not there. */
export async function unlinkAccount(
  config: ResolvedConfig,
  request: Incoming,
  { provider, accountId }: NamedAccount,
  { hasOtherSignInMethod = false }: UnlinkOptions = {},
): Promise<UnlinkAnswer> {
  const { adapter, ports } = config
  const user = await getStoredUser(config, request)
  if (!adapter || !user) return answer('no_account')
  const key: AccountKey = { provider, providerAccountId: accountId }
  const outcome = await unlinkSafely(
    {
      user,
      list: async () => (await accountsOf(config, adapter, String(user.id))) ?? lacksList(),
      rows: requireRows(adapter),
      hasOtherWayIn: async () =>
        // Whoever has proved the address can choose a password at any time.
        hasOtherSignInMethod || hasWayWithoutAccount(config, user, ['email', 'password']),
      isWayIn: account => config.providers.has(account.provider),
      now: ports.now,
      randomHex: ports.randomHex,
      wait: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    },
    key,
  )
  tokenRuntime(config).read.clear()
  return answer(outcome)
}

function requireRows(adapter: Readonly<Adapter>) {
  const { linkAccount, unlinkAccount, leaseAccount, updateAccount } = adapter
  if (!unlinkAccount || !linkAccount) {
    throw new MissingAdapterMethods('The adapter lacks what unlinking needs: unlinkAccount.')
  }
  return { linkAccount, unlinkAccount, leaseAccount, updateAccount }
}

function lacksList(): never {
  throw new MissingAdapterMethods('The adapter lacks what a list of accounts needs: listAccounts.')
}

async function listed(account: AdapterAccount): Promise<ListedAccount> {
  const { provider, providerAccountId, scope, expires_at, refresh_token } = account
  const hasEnded = await isEnded(account)
  return {
    provider,
    accountId: providerAccountId,
    scopes: scope?.split(/[\s,]+/).filter(each => each !== '') ?? [],
    expiresAt: typeof expires_at === 'number' ? new Date(expires_at * 1000) : null,
    canRefresh: Boolean(refresh_token) && !hasEnded,
    error: hasEnded ? 'RefreshTokenError' : null,
  }
}

function answer(reason: UnlinkedAccount['reason']): UnlinkAnswer {
  return { kind: 'json', status: 200, body: { unlinked: reason === null, reason }, cookies: [] }
}
