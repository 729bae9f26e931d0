import {
  type CheckedSession,
  isSecure,
  type SessionConfig,
  siteFor,
} from '@siteauth/core/integration'
import { addressedRequest } from './addressed.ts'
import { ASKED_HEADER } from './asked.ts'
import { nowAndThen } from './load-now-and-then.ts'
import type { SessionReader } from './session-reader.ts'

/** The session of a request in a proxy or a route handler, and what has to be told of it. */
export interface ReadRequest {
  readonly session: CheckedSession['session']
  /** Tells the browser of new cookies, and what lies behind a proxy of them and of the read. */
  applyTo(response: Response): Response
}

/**
 * Reads and renews the session of a request.
 *
 * @param context what a function that `auth` wraps was given beside it
 */
export async function requestSession(
  config: SessionConfig,
  reader: SessionReader,
  request: Request,
  context?: unknown,
): Promise<ReadRequest> {
  const sent = addressedRequest(request)
  const arrived = request.headers.get('cookie')
  const { session, cookies } = await reader.read(config, {
    key: request,
    sent,
    cookies: () => arrived,
    renew: true,
    context,
  })
  // As it nearly always is: there is nothing to tell anyone.
  if (!cookies.length && !config.callbacks.jwt && !request.headers.has(ASKED_HEADER)) {
    return { session, applyTo: same }
  }
  const site = siteFor(config, isSecure(config.origin, sent))
  return nowAndThen(async ({ handOn }) => ({
    session,
    applyTo: await handOn(config, site, request, { session, cookies }),
  }))
}

function same(response: Response): Response {
  return response
}
