import type { Account, TokenSet } from '../../base/user.ts'
import { utf8 } from '../../crypto/encoding.ts'
import type { Sealer } from '../../crypto/jwe.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import { serverIdentity } from '../provider/server.ts'
import { type RevocableToken, revocableToken } from './revocable-token.ts'
import { signInDigest } from './session-keys.ts'

/** The facts about a sign-in that undoing it at the provider takes. */
export interface LogoutHint {
  readonly provider: string
  /** The server behind the provider: no other one gets to see the tokens. */
  readonly server: string | undefined
  /** The user of the session. */
  readonly userId: string
  /** The person's id at the provider. */
  readonly accountId: string | undefined
  /** Tells this sign-in from others of the account: see {@link signInDigest}. */
  readonly signIn: string | undefined
  /** The id_token that identifies the session to end. */
  readonly idToken: string | undefined
  /** The token to revoke, as it was then. It may have been replaced since. */
  readonly token: RevocableToken | undefined
}

/** Longer ones would make a URL that not every server and proxy takes: see `endSessionUrl`. */
const MAX_ID_TOKEN_LENGTH = 1800

/** The size that fits into one cookie when it is sealed: three bytes become four characters. */
const MAX_BYTES = 2750

/** As long as browsers keep any cookie. A session may be renewed until then, and this cannot be. */
export const HINT_MAX_AGE: number = 400 * 24 * 60 * 60

/** The stored part of the tokens of a sign-in. Tokens that do not fit are left out: the provider does without. */
export async function logoutHint(
  provider: ResolvedOAuthProvider,
  tokens: TokenSet & Pick<Account, 'providerAccountId'>,
  userId: string,
): Promise<LogoutHint> {
  const { id_token, providerAccountId } = tokens
  const isFit = provider.type === 'oidc' && id_token && id_token.length <= MAX_ID_TOKEN_LENGTH
  const idToken = isFit ? id_token : undefined
  const token = revocableToken(provider, tokens)
  const hint = {
    provider: provider.id,
    server: serverIdentity(provider),
    userId,
    accountId: providerAccountId,
    signIn: await signInDigest(id_token),
    idToken,
    token,
  }
  if (isSmall(hint)) return hint
  const withoutToken = { ...hint, token: undefined }
  return isSmall(withoutToken) ? withoutToken : { ...withoutToken, idToken: undefined }
}

function isSmall(hint: LogoutHint): boolean {
  return utf8(JSON.stringify(hint)).length <= MAX_BYTES
}

/** Seals a hint for a cookie. */
export async function sealHint(hint: LogoutHint, sealer: Sealer, now: number): Promise<string> {
  const { token, ...facts } = hint
  return sealer.seal({ ...facts, token: token?.value, kind: token?.kind }, HINT_MAX_AGE, now)
}

/** Opens what was sealed; null if it was not by us, or too long ago. */
export async function openHint(
  sealed: string,
  sealer: Sealer,
  now: number,
): Promise<LogoutHint | null> {
  const opened = await sealer.open(sealed, now)
  if (typeof opened === 'string') return null
  const { provider, server, userId, accountId, signIn, idToken, token, kind } = opened.claims
  if (typeof provider !== 'string' || typeof userId !== 'string') return null
  const isRevocable = typeof token === 'string' && typeof kind === 'string'
  return {
    provider,
    server: typeof server === 'string' ? server : undefined,
    userId,
    accountId: typeof accountId === 'string' ? accountId : undefined,
    signIn: typeof signIn === 'string' ? signIn : undefined,
    idToken: typeof idToken === 'string' ? idToken : undefined,
    token: isRevocable
      ? { value: token, kind: kind === 'refresh_token' ? kind : 'access_token' }
      : undefined,
  }
}
