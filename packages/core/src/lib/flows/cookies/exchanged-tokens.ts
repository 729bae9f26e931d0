import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { type StoredTokens, tokenDigest } from '../../tokens/token-set.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { type AccountTokens, sharedExchanges } from '../provider/token-runtime.ts'

/** The content of a provider's cookie. */
export interface CookieTokens extends AccountTokens {
  /** The user of the session it belongs to: a cookie beside another session is useless. */
  readonly userId: string
  /** The person's id in id_tokens. */
  readonly subject?: string | undefined
  /** The issuer of the tokens: the id of the provider may be configured for another one by now. */
  readonly issuer?: string | undefined
  /** Whether it goes when the browser is closed, as its session does. */
  readonly isTemporary?: boolean | undefined
  /** Whether the provider no longer takes the refresh token. */
  readonly isEnded?: boolean
}

/** More than there are in that time, of tokens that live for a few seconds. */
const MAX_EXCHANGES = 50

/** The tokens that the refresh token of a cookie was exchanged for since, in this process: perhaps more than once. */
export async function newestOf(
  config: ResolvedConfig,
  received: CookieTokens,
): Promise<CookieTokens> {
  const now = config.ports.now()
  let newest = received
  // Limited: a provider might return a token that it gave before.
  for (let times = 0; times < MAX_EXCHANGES; times++) {
    const { refresh_token } = newest
    if (!refresh_token) return newest
    const name = await exchangeName(config, newest.provider, refresh_token)
    const newer = sharedExchanges().exchanged.get(name, now)
    if (!newer) return newest
    newest = { ...withoutExpiry(newest), ...newer }
    // The provider does not rotate.
    if (newest.refresh_token === refresh_token) return newest
  }
  return newest
}

/**
 * The name of an exchange. All configurations of a process share them: with the server, the client and the audience,
 * others that come upon the same text do not get the tokens.
 */
export async function exchangeName(
  config: ResolvedConfig,
  provider: string,
  refreshToken: string,
): Promise<string> {
  const digest = await tokenDigest(refreshToken)
  return JSON.stringify([provider, serverOf(config, provider), digest, config.audience ?? null])
}

/** The server that takes the refresh tokens of a provider, and who the application is there. */
function serverOf(config: ResolvedConfig, id: string): readonly (string | undefined)[] {
  const configured = config.providers.get(id)
  if (!configured || !isOAuth(configured)) return []
  try {
    const provider = oauthRuntime(config).resolve(configured as OAuthConfig<never>)
    const { issuer, discovery, authorization, token, client } = provider
    return [issuer, discovery?.url, authorization.url, token.url, client.client_id]
  } catch {
    return [] // a provider that cannot work exchanges nothing
  }
}

/** As little as is needed: cookies travel with every request. */
export function tokenMembers(tokens: StoredTokens): StoredTokens {
  const { access_token, refresh_token, expires_at, scope, token_type } = tokens
  const entries = Object.entries({ access_token, refresh_token, expires_at, scope, token_type })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) // some of them
}

export function withoutExpiry({ expires_at: _, ...tokens }: CookieTokens): CookieTokens {
  return tokens
}
