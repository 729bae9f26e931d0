import type { AdapterAccount } from '../../base/adapter.ts'
import { SignOutError } from '../../base/errors.ts'
import { isSameIssuer } from '../../base/same-issuer.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForOffline } from '../../oauth/logout/revocable-token.ts'
import { isOfNotice, isOfPerson } from '../../oauth/logout/session-keys.ts'
import type { LogoutNotice } from '../../oauth/logout/verify-logout-token.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import type { OpenedAccount } from '../../tokens/seal-tokens.ts'
import { openAccount } from '../account/stored-token.ts'

/**
 * Runs after a user has signed out at a provider, and the sessions have ended: the account's refresh token is
 * deleted, and the event is called. Never fails, since the notice was carried out. Returns whether the user has an
 * account here.
 */
export async function tellSignOut(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  notice: LogoutNotice,
): Promise<boolean> {
  const { sub, sid } = notice
  const account = await forgetTokens(config, provider, notice)
  await config.events.providerSignOut?.({
    provider: provider.id,
    channel: 'back',
    user: account && { id: account.userId },
    ...(sub !== undefined && { sub }),
    ...(sid !== undefined && { sid }),
  })
  return account !== null
}

/** The account of the user whom a notice names, or null if there is none, or if the notice names none. */
export async function accountOfNotice(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  notice: LogoutNotice,
): Promise<OpenedAccount | null> {
  const { sub } = notice
  const stored = sub && (await config.adapter?.getAccount?.(sub, provider.id))
  if (!stored) return null
  // Some stores take `ABC` for `abc`.
  const isIt = stored.providerAccountId === sub && stored.provider === provider.id
  const isOther = stored.issuer && !isSameIssuer(stored.issuer, notice.issuer)
  if (!isIt || isOther) return null
  const account = await openAccount(config, stored)
  return isOfPerson(account.id_token, notice) ? account : null
}

/** The account of a person, without the refresh token that came with what has ended. */
async function forgetTokens(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  notice: LogoutNotice,
): Promise<AdapterAccount | null> {
  try {
    const account = await accountOfNotice(config, provider, notice)
    const isOver =
      account?.refresh_token &&
      !isForOffline(provider, account.scope) &&
      isOfNotice(account.id_token, notice)
    if (isOver) await forgetRefreshToken(config, account)
    return account
  } catch (cause) {
    const message = `The account of who has signed out at ${JSON.stringify(provider.id)} may keep its refresh token.`
    config.logger.error(new SignOutError(message, { cause }))
    return null
  }
}

/** OpenID Connect Back-Channel Logout §2.7. A caller that is about to refresh it finds that another was faster. */
async function forgetRefreshToken(
  { adapter }: ResolvedConfig,
  { provider, providerAccountId }: AdapterAccount,
): Promise<void> {
  const empty = null as unknown as string // null empties the column
  await adapter?.updateAccount?.({ provider, providerAccountId, refresh_token: empty })
}
