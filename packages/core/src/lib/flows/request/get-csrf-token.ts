import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie } from '../../http/cookies.ts'
import { json, type Outgoing } from '../../http/response.ts'
import { issueFormToken } from './form-token.ts'
import type { Incoming } from './incoming.ts'

/** `GET csrf` */
export async function getCsrfToken(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  if (!config.csrf) {
    config.logger.warn('csrf-disabled')
    const { csrfToken } = request.cookieOptions
    return json(undefined, 404, [clearCookie(csrfToken)])
  }
  const { csrfToken, cookies } = await issueFormToken(config, request)
  return json({ csrfToken }, 200, cookies)
}
