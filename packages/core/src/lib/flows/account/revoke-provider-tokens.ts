import { NO_TOKENS } from '../../account/store-account.ts'
import type { Adapter, AdapterAccount } from '../../base/adapter.ts'
import { MissingAdapterMethods, SignOutError } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { RevocableToken } from '../../oauth/logout/revocable-token.ts'
import { revokeToken } from '../../oauth/logout/revoke-token.ts'
import { logoutEndpoint } from '../../oauth/provider/server.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { isOwnAccount } from './is-own-account.ts'
import type { NamedAccount } from './list-accounts.ts'
import { openAccount } from './stored-token.ts'

/** An account whose tokens were deleted from the store. */
export interface RevokedAccount extends NamedAccount {
  /**
   * Whether the provider confirmed that its tokens are revoked. If it did not, they may be valid until they expire: revoke
   * them in the provider's console, or ask the user to.
   */
  readonly isRevoked: boolean
}

/** How long a provider may take to revoke the tokens of one account, in milliseconds. */
const TIMEOUT = 3000

/**
 * Deletes the provider tokens of a user from the store, and has the providers revoke them. The accounts stay linked. A
 * refresh that is in progress stores nothing, because its lease ends.
 */
export async function revokeProviderTokens(
  config: ResolvedConfig,
  userId: string,
): Promise<readonly RevokedAccount[]> {
  const { adapter } = config
  if (!adapter) return []
  const { updateAccount } = adapter
  const accounts = await listAll(adapter, userId)
  if (!accounts || !updateAccount) {
    if (![...config.providers.values()].some(isOAuth)) return []
    throw lacksMethods(adapter)
  }
  // Deleted first, at once: a provider may be slow, and the process may end while it is asked.
  const opened = await Promise.all(accounts.map(each => openAccount(config, each)))
  const deleted = await Promise.allSettled(
    accounts.map(({ provider, providerAccountId }) =>
      updateAccount({ provider, providerAccountId, ...noTokens(config) }),
    ),
  )
  const revoked = await Promise.all(opened.map(each => revokeAt(config, each)))
  for (const each of deleted) if (each.status === 'rejected') throw each.reason
  return revoked
}

function noTokens({ account }: ResolvedConfig): Partial<AdapterAccount> {
  return account.takesMore ? { ...NO_TOKENS, dpop_key: null } : NO_TOKENS
}

/** All accounts of a user that can have tokens, also those of other issuers and of providers that are not configured. */
async function listAll(
  { listAccounts }: Readonly<Adapter>,
  userId: string,
): Promise<readonly AdapterAccount[] | null> {
  if (!listAccounts) return null
  const accounts = await listAccounts(userId)
  return accounts.filter(
    each => String(each.userId) === userId && (each.type === 'oauth' || each.type === 'oidc'),
  )
}

async function revokeAt(config: ResolvedConfig, account: AdapterAccount): Promise<RevokedAccount> {
  const { provider: id, providerAccountId: accountId } = account
  try {
    const isRevoked = await withTimeout(
      TIMEOUT,
      () => revokeTokensOf(config, account),
      `The provider ${JSON.stringify(id)}`,
    )
    return { provider: id, accountId, isRevoked }
  } catch (cause) {
    const message = `The tokens of a user were deleted, but not revoked at ${JSON.stringify(id)}.`
    config.logger.error(new SignOutError(message, { cause }))
    return { provider: id, accountId, isRevoked: false }
  }
}

/** Resolves with false if there is nothing that the provider could revoke, or no endpoint for it. */
async function revokeTokensOf(config: ResolvedConfig, account: AdapterAccount): Promise<boolean> {
  const { provider: id, refresh_token, access_token } = account
  const configured = config.providers.get(id)
  // Another issuer must not see the tokens.
  if (!configured || !isOAuth(configured) || !isOwnAccount(config, account)) return false
  const { servers, resolve } = oauthRuntime(config)
  const provider = resolve(configured as OAuthConfig<Profile>)
  const server = await servers.serverFor(provider)
  const endpoint = logoutEndpoint(provider, server, 'revocation_endpoint')
  const tokens: readonly RevocableToken[] = [
    // First: RFC 7009 §2.1 asks servers to revoke the access tokens of the grant with it.
    ...(refresh_token ? [{ kind: 'refresh_token' as const, value: refresh_token }] : []),
    ...(access_token ? [{ kind: 'access_token' as const, value: access_token }] : []),
  ]
  if (!endpoint || tokens.length === 0) return false
  const now = config.ports.now()
  for (const token of tokens) await revokeToken(provider, server, endpoint, token, now)
  return true
}

function lacksMethods(adapter: Readonly<Adapter>): MissingAdapterMethods {
  const missing = ['listAccounts', 'updateAccount'].filter(name => !(name in adapter))
  return new MissingAdapterMethods(
    'The sessions of the user have ended, but the tokens of providers could not be deleted. The adapter lacks ' +
      `what that needs: ${missing.join(', ')}.`,
  )
}
