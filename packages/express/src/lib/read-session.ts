import type { IncomingMessage, ServerResponse } from 'node:http'
import { serializeCookie } from '@siteauth/core/cookies'
import { usable } from '@siteauth/core/endpoints'
import {
  type Awaitable,
  type CheckedSession,
  checkSession,
  isLater,
  type ResolvedConfig,
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
  const cookieHeader = state?.cookieHeader ?? req.headers.cookie
  for (let known = state?.lastRead; known; known = known.before) {
    if (known.config !== config) continue
    if (known.renewed || !renewed) return known.session
    const session = after(known.checking, checked =>
      // Read without renewing it: it is read again only where there is something to renew.
      checked.isCurrent || !checked.session
        ? withCookies(checked, res)
        : readAnew(req, config, resolved, cookieHeader, res),
    )
    return note(req, config, renewed, known.checking, session)
  }
  return readAnew(req, config, resolved, cookieHeader, renewed ? res : undefined)
}

/** @param res where the session can be renewed */
function readAnew(
  req: SessionRequest,
  config: object,
  resolved: ResolvedConfig,
  cookieHeader: string | undefined,
  res: ServerResponse | undefined,
): Awaitable<Session | null> {
  const site = siteOf(resolved, resolved.origin ?? schemeOf(req, req.headers))
  const renewed = res !== undefined
  const checking = checkSession(resolved, site, cookieHeader, renewed)
  // To make a note of it for this request would take longer than to look it up again.
  if (site.sessions.remembers && !isLater(checking) && checking.cookies.length === 0) {
    return checking.session
  }
  const session = after(checking, checked => withCookies(checked, res))
  return note(req, config, renewed, checking, session)
}

function after<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isLater(value) ? value.then(use) : use(value)
}

/** Remembers a read for the rest of the request. */
function note(
  req: SessionRequest,
  config: object,
  renewed: boolean,
  checking: Awaitable<CheckedSession>,
  session: Awaitable<Session | null>,
): Awaitable<Session | null> {
  const state = stateOf(req)
  state.lastRead = { config, renewed, checking, session, before: state.lastRead }
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
