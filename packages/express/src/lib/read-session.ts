import type { IncomingMessage, ServerResponse } from 'node:http'
import { serializeCookie } from '@siteauth/core/cookies'
import { usable } from '@siteauth/core/endpoints'
import {
  type Awaitable,
  type CheckedSession,
  checkSession,
  isLater,
  siteOf,
} from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import { schemeOf } from './address.ts'
import { knownState, stateOf } from './request-state.ts'
import { settle } from './resolutions.ts'
import { addCookies, isOver } from './write-response.ts'

/** What is needed of a request to know who sent it. One of Node's own will do. */
export type SessionRequest = IncomingMessage & { readonly protocol?: string }

/**
 * Who is signed in, or null: at once where nothing has to be waited for, as with most sessions in a
 * cookie. With `res` the session is renewed when it is due. What is not at hand anyway is noted for the
 * rest of the request.
 */
export function readSession(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Awaitable<Session | null> {
  const state = knownState(req)
  const resolved = usable(settle(config).resolution)
  // A cookie that comes too late is dropped. Only a row must not be renewed without its cookie.
  const renewed = res !== undefined && (resolved.strategy === 'jwt' || !isOver(res))
  for (let known = state?.lastRead; known; known = known.before) {
    if (known.config === config && (known.renewed || !renewed)) return known.session
  }
  const { headers } = req
  const site = siteOf(resolved, resolved.origin ?? schemeOf(req, headers))
  const checking = checkSession(resolved, site, state?.cookieHeader ?? headers.cookie, renewed)
  // To make a note of it for this request would take longer than to look it up again.
  if (site.sessions.remembers && !isLater(checking) && checking.cookies.length === 0) {
    return checking.session
  }
  const target = renewed ? res : undefined
  const session = isLater(checking)
    ? checking.then(checked => withCookies(checked, target))
    : withCookies(checking, target)
  const remembered = stateOf(req)
  remembered.lastRead = { config, renewed, session, before: remembered.lastRead }
  return session
}

function withCookies(
  { session, cookies }: CheckedSession,
  res: ServerResponse | undefined,
): Session | null {
  if (res && cookies.length > 0) addCookies(res, cookies.map(serializeCookie))
  return session
}

/** After somebody signed in or out, a request has another session than it came with. */
export function forgetSession(req: SessionRequest): void {
  stateOf(req).lastRead = undefined
}
