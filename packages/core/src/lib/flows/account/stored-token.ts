import type { AccountKey, Adapter, AdapterAccount } from '../../base/adapter.ts'
import { AdapterError } from '../../base/errors.ts'
import type { Profile, TokenSet } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type RefreshResult, refreshTokens } from '../../oauth/token/refresh-tokens.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import {
  type RefreshOutcome,
  refreshAccount,
  type TokenMethods,
} from '../../tokens/refresh-account.ts'
import { type OpenedAccount, openTokens, TOKENS_PURPOSE } from '../../tokens/seal-tokens.ts'
import { isGood, type TokenRequirements } from '../../tokens/token-set.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { type AccountTokens, RESPITE, tokenRuntime } from '../provider/token-runtime.ts'
import { accessTokenError } from './access-token-error.ts'
import { isOwnAccount } from './is-own-account.ts'

/** How long a process remembers what a store has no column for, in milliseconds. */
const DAY = 86_400_000

/** The tokens of a stored account, refreshed if they are not as good as is asked. */
export async function storedToken(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  provider: OAuthConfig<Profile>,
  userId: string,
  requirements: TokenRequirements & { readonly accountId?: string | undefined },
): Promise<AccountTokens> {
  const rows = tokenRows(config, adapter, provider.id)
  if (provider.dpop && !config.account.takesMore) {
    const cause = new Error(
      'the adapter has no dpop_key, without which the tokens are of no use: use an adapter of ours, or add it',
    )
    throw accessTokenError('store_read_only', provider.id, cause)
  }
  const account = await findAccount(
    config,
    adapter,
    provider.id,
    userId,
    requirements.accountId,
  ).catch(error => {
    throw accessTokenError('unavailable', provider.id, asUnavailable(error).cause)
  })
  if (isGood(account, requirements, config.ports.now())) return account
  const outcome = await refreshed(config, rows, provider, account, requirements)
  if (outcome.ok) return outcome.account
  const { reason, cause } = outcome
  // Better one that is valid for a little less than was asked than none.
  const isOldGood = isGood(account, { ...requirements, minValidity: 0 }, config.ports.now())
  if (isOldGood && reason !== 'invalid_grant' && reason !== 'no_account') return account
  throw accessTokenError(reason, provider.id, cause)
}

/** All accounts of a user at one provider that can have tokens, as they are stored. */
export async function accountsOf(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  userId: string,
): Promise<readonly AdapterAccount[] | null> {
  if (!adapter.listAccounts) return null
  const accounts = await adapter.listAccounts(userId)
  return accounts.filter(
    each =>
      String(each.userId) === userId &&
      (each.type === 'oauth' || each.type === 'oidc') &&
      isOwnAccount(config, each),
  )
}

async function findAccount(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  provider: string,
  userId: string,
  accountId: string | undefined,
): Promise<OpenedAccount> {
  const all = (await accountsOf(config, adapter, userId)) ?? []
  const named =
    !adapter.listAccounts && accountId !== undefined
      ? await adapter.getAccount?.(accountId, provider)
      : null
  const candidates = named && String(named.userId) === userId ? [named] : all
  const found = candidates.filter(
    each =>
      each.provider === provider &&
      isOwnAccount(config, each) &&
      // Which of several issuers has given its tokens is not known.
      (each.issuer || !config.isIdShared(provider)) &&
      (accountId === undefined || each.providerAccountId === accountId),
  )
  const [account, other] = found
  if (!account) throw accessTokenError('no_account', provider)
  if (other) throw accessTokenError('ambiguous_account', provider)
  return withAge(config, await openAccount(config, account))
}

/** A token that was stored as it is does not say since when. Those of one provider live as long as each other. */
function withAge(config: ResolvedConfig, account: OpenedAccount): OpenedAccount {
  const { provider, expires_at, issued_at } = account
  const lifetime = tokenRuntime(config).lifetimes.get(provider)
  if (issued_at !== undefined || !expires_at || lifetime === undefined) return account
  return { ...account, issued_at: expires_at - lifetime }
}

/** An account with its tokens as they are. */
export async function openAccount(
  config: ResolvedConfig,
  stored: AdapterAccount,
): Promise<OpenedAccount> {
  const { sealerFor, ports, logger } = config
  const { account, isComplete } = await openTokens(sealerFor(TOKENS_PURPOSE), stored, ports.now())
  if (!isComplete)
    warnOnce(config, 'undecryptable-tokens', () => logger.warn('undecryptable-tokens'))
  return account
}

function warnOnce(config: ResolvedConfig, code: string, warn: () => void): void {
  const { warned } = tokenRuntime(config)
  if (!warned.has(code)) warn()
  warned.add(code)
}

function tokenRows(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  provider: string,
): TokenMethods {
  const { updateAccount, leaseAccount, getAccount } = adapter
  if (!updateAccount || !getAccount) {
    const missing = ['getAccount', 'updateAccount'].filter(name => !(name in adapter))
    throw accessTokenError(
      'store_read_only',
      provider,
      new Error(`the adapter lacks ${missing.join(' and ')}: add it, or use an adapter of ours`),
    )
  }
  if (!leaseAccount) {
    warnOnce(config, 'no-account-lease', () => config.logger.warn('no-account-lease'))
  }
  return {
    updateAccount,
    ...(leaseAccount && { leaseAccount }),
    takesErrors: config.account.takesMore,
    open: account => openAccount(config, account),
    async read({ provider: id, providerAccountId }: AccountKey) {
      const account = await getAccount(providerAccountId, id)
      // Some stores take `ABC` for `abc`.
      const isIt = account?.providerAccountId === providerAccountId && account.provider === id
      return account && isIt ? openAccount(config, account) : null
    },
  }
}

/** Refreshes the tokens of an account: for all who want that in this process at once. */
async function refreshed(
  config: ResolvedConfig,
  rows: TokenMethods,
  configured: OAuthConfig<Profile>,
  account: OpenedAccount,
  requirements: TokenRequirements,
): Promise<RefreshOutcome> {
  const { rejectedToken } = requirements
  const { ports, events, logger } = config
  const { sharedCalls, failed, unsaved, ended, lifetimes } = tokenRuntime(config)
  const { provider: id, providerAccountId, userId } = account
  const key = { provider: id, providerAccountId }
  const name = JSON.stringify([id, providerAccountId, userId])
  const recent = failed.get(name, ports.now())
  if (recent) return recent
  let isFirst = false
  const shared = await sharedCalls.join(name, async () => {
    isFirst = true
    const { servers, resolve } = oauthRuntime(config)
    const provider = resolve(configured)
    // Requested before anything is leased: it may take as long as the tokens. Its errors are handled below.
    await servers.serverFor(provider).catch(() => null)
    const refreshing = refreshAccount(
      {
        key,
        userId: String(userId),
        rows,
        unsaved,
        endedTokens: {
          has: digest => ended.get(digest, ports.now()) !== undefined,
          add: digest => ended.set(digest, true, ports.now() + DAY),
        },
        rejectedToken,
        ask: async earlier => {
          const result = await refreshTokens(provider, earlier, servers, ports.now())
          if (!result.ok) return result
          const { expires_in } = result.tokens
          if (expires_in !== undefined) lifetimes.set(id, expires_in)
          return { ok: true, tokens: withKey(result) }
        },
        storedOf: tokens => ({
          ...provider.account(tokens),
          ...(config.account.takesMore && keyIn(tokens)),
        }),
        now: ports.now,
        randomHex: ports.randomHex,
        wait: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
      },
      account,
    )
    const outcome = await refreshing.catch(asUnavailable)
    if (outcome.ok) return outcome
    const { reason, cause } = outcome
    if (reason === 'unavailable' || reason === 'refused') {
      failed.set(name, outcome, ports.now() + RESPITE)
      logger.error(accessTokenError(reason, id, cause))
    }
    if (reason === 'invalid_grant' && !outcome.isReported) {
      const error = accessTokenError(reason, id, cause)
      await events.accountError?.({ user: { id: userId }, account: key, error })
    }
    return outcome
  })
  // The caller that began the refresh may not have known that this very token was rejected.
  const isRejected = shared.ok && shared.account.access_token === rejectedToken
  return isRejected && !isFirst
    ? refreshed(config, rows, configured, shared.account, requirements)
    : shared
}

/** If a store is down, users stay signed in, and callers do not learn of the failure. */
function asUnavailable(error: unknown): RefreshOutcome & { readonly ok: false } {
  if (!(error instanceof AdapterError)) throw error
  return { ok: false, reason: 'unavailable', cause: error }
}

// The key travels with the tokens that are bound to it, until both are stored.

function withKey({ tokens, dpopKey }: Extract<RefreshResult, { readonly ok: true }>): TokenSet {
  return dpopKey === undefined ? tokens : { ...tokens, dpop_key: dpopKey }
}

function keyIn({ dpop_key }: TokenSet): { readonly dpop_key?: string } {
  return typeof dpop_key === 'string' ? { dpop_key } : {}
}
