import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { changeSignal } from '../../http/fixed-cookies.ts'
import { endedSessionCookies } from '../../principal/session-cookies.ts'
import type { Incoming } from '../request/incoming.ts'
import { clearTokenError } from './token-error.ts'

/**
 * Returns every cookie that a sign-out sets or removes. `signInCookies` has those of a sign-in. The hint for the provider is
 * removed once it has been used.
 */
export async function signOutCookies(
  config: ResolvedConfig,
  request: Incoming,
): Promise<readonly SetCookie[]> {
  return [
    ...endedSessionCookies(config, request),
    ...(await providerTokenCookies(config, request)),
    ...clearTokenError(request),
    changeSignal(request.cookieOptions.sessionToken, config.ports.randomHex),
  ]
}

async function providerTokenCookies(
  { storesTokens }: ResolvedConfig,
  request: Incoming,
): Promise<readonly SetCookie[]> {
  return storesTokens ? (await import('./provider-tokens.ts')).clearTokens(request) : []
}
