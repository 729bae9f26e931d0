import type { AccountKey, Adapter } from '../../base/adapter.ts'
import { InvalidRequest, MissingAdapterMethods } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { acceptsHtml } from '../../http/accepts-html.ts'
import { type Outgoing, type OutgoingJson, redirect } from '../../http/response.ts'
import { getStoredUser, isStillSignedIn } from '../../principal/get-principal.ts'
import { hasMethodWithoutAccount } from '../provider/sign-in-methods.ts'
import { tokenRuntime } from '../provider/token-runtime.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { lacksList, type NamedAccount } from './list-accounts.ts'
import { accountsOf } from './stored-token.ts'
import { unlinkSafely } from './unlink-with-leases.ts'

/** Facts about a user beyond the stored ones. */
export interface UnlinkOptions {
  /** Whether the user can sign in by other means, such as a password of yours. Defaults to false. */
  readonly hasOtherSignInMethod?: boolean | undefined
}

/** Whether an account was unlinked, and if not, why. */
export interface UnlinkResponse extends OutgoingJson {
  readonly body: UnlinkedAccount
}

/** Whether an account was unlinked, and if not, why. */
export interface UnlinkedAccount {
  readonly unlinked: boolean
  /** Why not: the user has no such account, or could not sign in without it. */
  readonly reason: 'no_account' | 'only_sign_in_method' | null
}

/** `POST accounts/unlink`: one, by `provider` and `accountId`. */
export async function unlinkEndpoint(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { provider, accountId } = request.body
  if (typeof provider !== 'string' || typeof accountId !== 'string') {
    throw new InvalidRequest('Name the account to unlink by provider and accountId.')
  }
  const response = await unlinkAccount(config, request, { provider, accountId })
  // A form leads somewhere. A script wants to know.
  return acceptsHtml(request.headers)
    ? redirect(await chooseReturn(config, request), response.cookies)
    : response
}

/**
 * Unlinks an account of the user who is signed in. Another user's account is treated like one that does not exist.
 */
export async function unlinkAccount(
  config: ResolvedConfig,
  request: Incoming,
  { provider, accountId }: NamedAccount,
  { hasOtherSignInMethod = false }: UnlinkOptions = {},
): Promise<UnlinkResponse> {
  const { adapter, ports } = config
  const user = await getStoredUser(config, request)
  if (!adapter || !user) return toResponse('no_account')
  const key: AccountKey = { provider, providerAccountId: accountId }
  const outcome = await unlinkSafely(
    {
      user,
      // Others may hold the accounts for a while, in which the session may end.
      list: async () =>
        (await isStillSignedIn(config, request, user))
          ? ((await accountsOf(config, adapter, String(user.id))) ?? lacksList())
          : [],
      rows: requireRows(adapter),
      hasOtherSignInMethod: async () =>
        // A user with a proved address can choose a password at any time.
        hasOtherSignInMethod || hasMethodWithoutAccount(config, user, ['email', 'password']),
      canSignIn: account => config.providers.has(account.provider),
      now: ports.now,
      randomHex: ports.randomHex,
      wait: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    },
    key,
  )
  tokenRuntime(config).read.clear()
  return toResponse(outcome)
}

function requireRows(adapter: Readonly<Adapter>) {
  const { linkAccount, unlinkAccount, leaseAccount, updateAccount } = adapter
  if (!unlinkAccount || !linkAccount) {
    throw new MissingAdapterMethods('The adapter lacks what unlinking needs: unlinkAccount.')
  }
  return { linkAccount, unlinkAccount, leaseAccount, updateAccount }
}

function toResponse(reason: UnlinkedAccount['reason']): UnlinkResponse {
  return { kind: 'json', status: 200, body: { unlinked: reason === null, reason }, cookies: [] }
}
