import type { AdapterAccount } from '../../base/adapter.ts'
import { MissingAdapterMethods } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { json, type Outgoing } from '../../http/response.ts'
import { getStoredUser } from '../../principal/get-principal.ts'
import { isEnded } from '../../tokens/token-set.ts'
import type { Incoming } from '../request/incoming.ts'
import { accountsOf, openAccount } from './stored-token.ts'

/** The key of an account, for its owner. */
export interface NamedAccount {
  /** The provider's id, such as `github`. */
  readonly provider: string
  /** The user's id at the provider. */
  readonly accountId: string
}

/** An account of the user who is signed in, without its tokens. */
export interface ListedAccount extends NamedAccount {
  /** The scopes that the person agreed to, if the provider named them. */
  readonly scopes: readonly string[]
  /** When the access token expires. Null if the provider did not state it, or there is none. */
  readonly expiresAt: Date | null
  /** Whether a new access token can be had without the person. */
  readonly canRefresh: boolean
  /** `RefreshTokenError` if the person has to sign in with it again. */
  readonly error: 'RefreshTokenError' | null
}

/** `GET accounts` */
export async function accountsEndpoint(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  return json(await listAccounts(config, request))
}

/** The accounts of the user who is signed in. Empty if the visitor is not signed in, or no account is stored. */
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

/** Throws the error of an adapter that cannot list accounts. */
export function lacksList(): never {
  throw new MissingAdapterMethods('The adapter lacks what a list of accounts needs: listAccounts.')
}
