import {
  type CheckedSession,
  changedCookies,
  isSecure,
  type ResolvedConfig,
  serializeCookie,
  siteFor,
} from '@siteauth/core/integration'
import { addressedRequest } from './addressed.ts'
import { ASKED_HEADER, sealAsked } from './handover.ts'
import { withCookies } from './pass-on.ts'
import type { SessionReader } from './session-reader.ts'

/** The session of a request in a proxy or a route handler, and what has to be told of it. */
export interface ReadRequest {
  readonly session: CheckedSession['session']
  /** Tells the browser of new cookies, and what lies behind a proxy of them and of the read. */
  applyTo(response: Response): Response
}

/** Reads and renews the session of a request. */
export async function requestSession(
  config: ResolvedConfig,
  reader: SessionReader,
  request: Request,
): Promise<ReadRequest> {
  const sent = addressedRequest(request)
  const arrived = request.headers.get('cookie')
  const { session, cookies } = await reader.read(config, {
    key: request,
    sent,
    cookies: () => arrived,
    renew: true,
  })
  const renewed = cookies.length > 0 ? changedCookies(arrived, cookies) : arrived
  const site = siteFor(config, isSecure(config.origin, sent))
  const asked = session ? await sealAsked(config, site, renewed) : undefined
  const replaced = {
    ...(cookies.length > 0 && { cookie: renewed ?? '' }),
    ...(asked !== undefined && { [ASKED_HEADER]: asked }),
  }
  const lines = cookies.map(serializeCookie)
  const isQuiet = lines.length === 0 && asked === undefined
  return {
    session,
    applyTo: response => (isQuiet ? response : withCookies(response, lines, request, replaced)),
  }
}
