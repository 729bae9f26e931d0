import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { getUserPrincipal } from '../../principal/get-principal.ts'
import { providersWithTokens } from '../cookies/provider-tokens.ts'
import { asFailure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { cookieToken } from './cookie-token.ts'
import { DEFAULT_VALIDITY } from './get-access-token.ts'

/**
 * Refreshes the tokens in cookies that are about to expire, while cookies can be set, for pages that cannot. Failures
 * are left to the callers that need a token.
 */
export async function refreshAhead(
  config: ResolvedConfig,
  request: Incoming,
): Promise<readonly SetCookie[]> {
  const providers = providersWithTokens(config, request)
  const principal = providers.length > 0 ? await getUserPrincipal(config, request) : null
  if (!principal) return []
  const { userId } = principal
  const requirements = { minValidity: DEFAULT_VALIDITY }
  const means = { canSetCookies: true }
  const all = providers.map(provider =>
    cookieToken(config, request, provider, userId, requirements, means).catch(asFailure),
  )
  return (await Promise.all(all)).flatMap(({ cookies }) => cookies)
}
