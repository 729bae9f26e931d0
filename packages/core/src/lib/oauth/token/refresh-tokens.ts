import { lazily } from '../../base/awaitable.ts'
import type { TokenSet } from '../../base/user.ts'
import { readUnverifiedClaims } from '../id-token/verify-id-token.ts'
import type { JsonObject } from '../parse-json.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server, ServerDirectory } from '../provider/server.ts'
import { ProviderError, ProviderKeyError, toSafeError } from '../provider-error.ts'
import type { DpopKey } from './dpop.ts'
import { plainTokens } from './exchange-code.ts'
import { readTokenSet } from './read-token-response.ts'
import { askTokenEndpoint } from './request-token.ts'
import { withExpiry } from './token-expiry.ts'

/** The tokens that a refresh token was exchanged for, or the reason why there are none. */
export type RefreshResult =
  | {
      readonly ok: true
      readonly tokens: TokenSet
      /** The key that they are bound to, as a private JWK; undefined if they are not. */
      readonly dpopKey?: string | undefined
    }
  | {
      readonly ok: false
      /**
       * - `invalid_grant`: the refresh token has expired, was used before, or was taken back.
       * - `refused`: the provider does not want this client, or its answer cannot be believed.
       * - `unavailable`: the provider did not respond, or states that it cannot just now.
       */
      readonly reason: 'invalid_grant' | 'refused' | 'unavailable'
      /** Safe to log. */
      readonly cause: Error
    }

/** Exchanges a refresh token for new tokens: RFC 6749 §6. Never rejects because of the provider. */
export async function refreshTokens(
  provider: ResolvedOAuthProvider,
  earlier: {
    readonly refresh_token: string
    readonly id_token?: string | undefined
    /** The subject of the earlier id_token, if the token itself was not stored. */
    readonly subject?: string | undefined
    /** The key that the earlier tokens were bound to, as a private JWK. */
    readonly dpop_key?: string | null | undefined
    readonly scope?: string | undefined
    /** Parameters that some providers want again. */
    readonly session_state?: unknown
  },
  servers: ServerDirectory,
  now: number,
): Promise<RefreshResult> {
  try {
    const server = await servers.serverFor(provider)
    const { id_token, subject, dpop_key } = earlier
    const key = provider.dpop ? await keyOf(provider, dpop_key, servers, now) : undefined
    const body = await requestRefresh(provider, earlier, server, now, key)
    const before = id_token === undefined ? { sub: subject } : readUnverifiedClaims(id_token)
    const tokens = await checkTokens(provider, body, before, server, now)
    return { ok: true, tokens: withExpiry(tokens, now), dpopKey: key?.jwk }
  } catch (error) {
    return { ok: false, reason: reasonOf(error), cause: toSafeError(error, earlier.refresh_token) }
  }
}

async function checkTokens(
  provider: ResolvedOAuthProvider,
  { id_token, ...others }: JsonObject,
  before: JsonObject,
  server: Server,
  now: number,
): Promise<TokenSet> {
  if (provider.type !== 'oidc' || typeof id_token !== 'string') {
    return plainTokens({ ...others, id_token })
  }
  try {
    const body = { ...others, id_token }
    return await openId(each => each.checkRefreshedTokens(provider, body, before, server, now))
  } catch (error) {
    // An id_token that cannot be checked just now is one that did not come, as it need not. To drop all that
    // came with it would lose the refresh token: the one that was sent is used up.
    if (error instanceof ProviderKeyError) return plainTokens(others)
    throw error
  }
}

async function requestRefresh(
  provider: ResolvedOAuthProvider,
  { refresh_token: refreshToken, scope, session_state }: Parameters<typeof refreshTokens>[1],
  server: Server,
  now: number,
  key: DpopKey | undefined,
): Promise<JsonObject> {
  const { config, token } = provider
  if (token.refresh) {
    const account = { ...(scope !== undefined && { scope }), session_state }
    return readTokenSet(
      await token.refresh({ provider: config, refreshToken, account, fetch: server.fetch }),
    )
  }
  if (token.request) {
    const message = 'token.request replaces how tokens are requested: add token.refresh'
    throw new ProviderError(message, { code: 'no_refresh_hook' })
  }
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return askTokenEndpoint(provider, grant, server, now, key)
}

/** RFC 9449 §5: refresh tokens of clients that authenticate are bound to no key, so a new one will do. */
async function keyOf(
  { client }: ResolvedOAuthProvider,
  jwk: string | null | undefined,
  servers: ServerDirectory,
  now: number,
): Promise<DpopKey> {
  return dpop(each =>
    jwk ? each.openDpopKey(jwk, client, servers, now) : each.createDpopKey(client, now),
  )
}

const dpop = lazily(() => import('./dpop.ts'))

/** The names of the person and of the issuer in an id_token that was checked. */
export function readIdTokenNames(
  idToken: string,
): Readonly<Record<'subject' | 'issuer', string | undefined>> {
  const { sub, iss } = readUnverifiedClaims(idToken)
  return {
    subject: typeof sub === 'string' ? sub : undefined,
    issuer: typeof iss === 'string' ? iss : undefined,
  }
}

const openId = lazily(() => import('./openid-tokens.ts'))

/** RFC 6749 §5.2, and what GitHub, Slack and HubSpot call it. */
const ENDED: readonly unknown[] = [
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'BAD_REFRESH_TOKEN',
]
/** Descriptions that Twitch and X send with a meaningless code. */
const ENDED_DESCRIPTIONS: readonly unknown[] = [
  'Invalid refresh token',
  'Value passed for the token was invalid.',
]
/** Said with any status, also by those who should answer 503. */
const BUSY: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']

function reasonOf(error: unknown): 'invalid_grant' | 'refused' | 'unavailable' {
  if (!(error instanceof ProviderError)) return 'refused'
  const { error: word, error_description, status, code, claim } = error.facts
  if (code !== undefined || claim !== undefined) return 'refused'
  // Also a page of something that stands before the provider: no part of it is trusted.
  if (word === undefined || BUSY.includes(word)) return 'unavailable'
  if (typeof status === 'number' && (status >= 500 || status === 429)) return 'unavailable'
  const hasEnded = ENDED.includes(word) || ENDED_DESCRIPTIONS.includes(error_description)
  return hasEnded ? 'invalid_grant' : 'refused'
}
