import { type ConfigLoader, changedCookies, type SetCookie } from '@siteauth/core/internal'
import { requireConfig } from '@siteauth/core/internal/config'
import { receiveCall, refreshAhead } from '@siteauth/core/internal/endpoints'
import { addressOf } from '../request-url.ts'

/**
 * Refreshes providers' tokens in cookies that are about to expire: pages behind the proxy cannot set any.
 * Answers the cookies to set, with those of the session.
 */
export async function withFreshTokens(
  loader: ConfigLoader,
  request: Request,
  cookies: readonly SetCookie[],
): Promise<readonly SetCookie[]> {
  const config = requireConfig(await loader.complete())
  const headers = new Headers(request.headers)
  // The session may have been renewed just now.
  headers.set('cookie', changedCookies(request.headers.get('cookie'), cookies))
  const { protocol, host } = addressOf(request)
  try {
    const incoming = receiveCall(config, { headers, protocol, host })
    return [...cookies, ...(await refreshAhead(config, incoming))]
  } catch (error) {
    // The page that needs a token will say what is wrong; others need none.
    config.logger.debug('refresh_ahead', error)
    return cookies
  }
}
