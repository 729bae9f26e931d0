import type { ServerResponse } from 'node:http'
import { serializeCookie } from '@siteauth/core/cookies'
import {
  asThrown,
  foreignCall,
  forOwnCalls,
  handle,
  isForeignCall,
  type SentRequest,
} from '@siteauth/core/endpoints'
import type { ResolvedConfig } from '@siteauth/core/integration'
import { changeCookies } from './cookie-header.ts'
import type { ServerRequest } from './express.ts'
import { forgetLocalSession } from './local-session.ts'
import { ownOrigin } from './own-origin.ts'
import { forgetSession } from './read-session.ts'
import { toRequest } from './to-request.ts'
import { addCookies } from './write-response.ts'

/**
 * Runs a flow that ends in a redirect for the application itself. Its forms have no CSRF token of
 * ours, so the browser's word on where a form comes from decides. Puts the cookies on the answer and
 * resolves with the URL to go to. Throws what went wrong.
 */
export async function ownCall(
  req: ServerRequest,
  res: ServerResponse,
  config: ResolvedConfig,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { route } = config.paths
  const body = { type: 'application/json', content: JSON.stringify(fields) }
  // A header for scripts, whose say this call is not.
  const without = 'x-auth-return-redirect'
  const request = toRequest(req, `${route}/${path}`, { method: 'POST', body, without })
  demandOwnPage(config, request)
  const { answer, failure } = await handle(forOwnCalls(config), request)
  if (failure !== undefined) throw asThrown(failure)
  if (answer.kind !== 'redirect') throw new TypeError(`POST ${path} must end in a redirect`)
  addCookies(res, answer.cookies.map(serializeCookie))
  changeCookies(req, answer.cookies)
  forgetSession(req)
  forgetLocalSession(res)
  return answer.to
}

function demandOwnPage(config: ResolvedConfig, sent: SentRequest): void {
  const own = ownOrigin(config, sent)
  // A host that is not trusted is refused with more words by the flow.
  if (own === undefined) return
  if (isForeignCall(sent.headers, own, config.trustedOrigins)) throw foreignCall(sent.headers, own)
}
