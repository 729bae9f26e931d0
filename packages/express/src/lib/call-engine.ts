import type { ServerResponse } from 'node:http'
import { serializeCookie } from '@siteauth/core/cookies'
import { type Incoming, keepingCookies, receiveCall } from '@siteauth/core/endpoints'
import type { ResolvedConfig, SetCookie } from '@siteauth/core/integration'
import { addCookies } from '@siteauth/core/node'
import { requestScheme, senderOf } from './address.ts'
import type { ServerRequest } from './express.ts'
import { forgetLocalSession } from './local-session.ts'
import { forgetSession } from './read-session.ts'
import { changeCookies } from './request-state.ts'
import { engineHeaders } from './to-request.ts'

/**
 * Calls the engine for a handler of the application, and puts the cookies on its answer. Throws on failure.
 */
export async function callEngine<Answer extends { readonly cookies: readonly SetCookie[] }>(
  req: ServerRequest,
  res: ServerResponse,
  config: ResolvedConfig,
  call: (incoming: Incoming) => Promise<Answer>,
): Promise<Answer> {
  const incoming = receiveFrom(req, config)
  return keepingCookies(
    () => call(incoming),
    cookies => applyCookies(req, res, cookies),
  )
}

/** The request of a browser as the engine takes it. Throws where its host is not trusted. */
export function receiveFrom(req: ServerRequest, config: ResolvedConfig): Incoming {
  const { headers } = req
  return receiveCall(config, {
    headers: engineHeaders(req),
    protocol: requestScheme(req, headers),
    host: headers.host ?? '',
    sender: () => senderOf(req),
  })
}

function applyCookies(
  req: ServerRequest,
  res: ServerResponse,
  cookies: readonly SetCookie[],
): void {
  if (cookies.length === 0) return
  addCookies(res, cookies.map(serializeCookie))
  changeCookies(req, cookies)
  forgetSession(req)
  forgetLocalSession(res)
}
