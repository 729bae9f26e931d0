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
import { type RequestState, stateOf } from './request-state.ts'
import { settle } from './resolutions.ts'
import { addCookies, isOver } from './write-response.ts'

/** What is needed of a request to know who sent it. One of Node's own will do. */
export type SessionRequest = IncomingMessage & { readonly protocol?: string }

/**
 * Who is signed in, or null: at once where nothing has to be waited for, as with most sessions in a
 * cookie. With `res` the session is renewed when it is due. What was read once for a request is known
 * for the rest of it.
 */
export function readSession(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Awaitable<Session | null> {
  const state = stateOf(req)
  const renewed = res !== undefined && !isOver(res)
  for (let known = state.lastRead; known; known = known.before) {
    if (known.config === config && (known.renewed || !renewed)) return known.session
  }
  const session = readNow(req, state, config, renewed ? res : undefined)
  state.lastRead = { config, renewed, session, before: state.lastRead }
  return session
}

function readNow(
  req: SessionRequest,
  state: RequestState,
  config: object,
  res: ServerResponse | undefined,
): Awaitable<Session | null> {
  const resolved = usable(settle(config).resolution)
  const { headers } = req
  const site = siteOf(resolved, resolved.origin ?? schemeOf(req, headers))
  const cookies = state.cookieHeader ?? headers.cookie
  const checking = checkSession(resolved, site, cookies, res !== undefined)
  return isLater(checking)
    ? checking.then(checked => withCookies(checked, res))
    : withCookies(checking, res)
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
