import type { ServerResponse } from 'node:http'
import {
  asThrown,
  forOwnCalls,
  handle,
  type Resolution,
  serializeCookie,
} from '@siteauth/core/integration'
import { changeCookies } from './cookie-header.ts'
import type { ServerRequest } from './express.ts'
import { forgetSession } from './get-session.ts'
import { toRequest } from './to-request.ts'
import { addCookies } from './write-response.ts'

/**
 * Runs a flow that ends in a redirect for the application itself, without the CSRF check. Puts the
 * cookies on the answer and resolves with the URL to go to. Throws what went wrong.
 */
export async function ownCall(
  req: ServerRequest,
  res: ServerResponse,
  resolution: Resolution,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { route } = resolution.frame.paths
  const body = { type: 'application/json', content: JSON.stringify(fields) }
  const request = toRequest(req, `${route}/${path}`, { method: 'POST', body })
  // A header for scripts, whose say this call is not.
  request.headers.delete('x-auth-return-redirect')
  const { answer, failure } = await handle(forOwnCalls(resolution), request)
  if (failure !== undefined) throw asThrown(failure)
  if (answer.kind !== 'redirect') throw new TypeError(`POST ${path} must end in a redirect`)
  addCookies(res, answer.cookies.map(serializeCookie))
  changeCookies(req, answer.cookies)
  forgetSession(req)
  return answer.to
}
