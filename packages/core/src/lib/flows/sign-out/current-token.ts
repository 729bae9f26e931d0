import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { LogoutHint } from '../../oauth/logout/logout-hint.ts'
import { type RevocableToken, revocableToken } from '../../oauth/logout/revocable-token.ts'
import { signInDigest } from '../../oauth/logout/session-keys.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { isOwnAccount } from '../account/is-own-account.ts'
import { openAccount } from '../account/stored-token.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * The current token of a sign-in: many providers replace a refresh token each time that it is used. The account may
 * have tokens of another browser by now, which must not be revoked; then it is the original token.
 */
export async function currentToken(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  hint: LogoutHint,
): Promise<RevocableToken | undefined> {
  const current = config.adapter
    ? await storedTokens(config, provider, hint).catch(() => null)
    : await cookieTokens(config, request, provider, hint)
  return (current && revocableToken(provider, current)) ?? hint.token
}

type Tokens = Parameters<typeof revocableToken>[1]

/** If a store does not respond, users can still sign out. */
async function storedTokens(
  config: ResolvedConfig,
  { id }: ResolvedOAuthProvider,
  { accountId, signIn, userId }: LogoutHint,
): Promise<Tokens | null> {
  if (accountId === undefined || signIn === undefined) return null
  const stored = await config.adapter?.getAccount?.(accountId, id)
  if (!stored || String(stored.userId) !== userId || !isOwnAccount(config, stored)) return null
  const account = await openAccount(config, stored)
  return (await signInDigest(account.id_token)) === signIn ? account : null
}

async function cookieTokens(
  config: ResolvedConfig,
  request: Incoming,
  { id }: ResolvedOAuthProvider,
  { accountId, userId }: LogoutHint,
): Promise<Tokens | null> {
  if (!config.storesTokens) return null
  const { openCookie } = await import('../cookies/provider-tokens.ts')
  const fromCookie = await openCookie(config, request, id)
  return fromCookie?.userId === userId && fromCookie.providerAccountId === accountId
    ? fromCookie
    : null
}
