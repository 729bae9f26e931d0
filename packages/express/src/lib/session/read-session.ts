import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type CheckedSession,
  checkSession,
  isPromise,
  type ResolvedConfig,
  schemeOf,
  serializeCookie,
} from '@siteauth/core/internal'
import { requireConfig } from '@siteauth/core/internal/config'
import { addCookies, isTooLate } from '@siteauth/core/internal/node'
import type { Awaitable, Session } from '@siteauth/core/types'
import { getApplication } from '../application/applications.ts'
import { requestScheme } from '../request/address.ts'
import { changeCookies, existingState, getState, type Read } from '../request/request-state.ts'

/** What is needed of a request to know who sent it. One of Node's own will do. */
export type SessionRequest = IncomingMessage & {
  readonly protocol?: string
  /** Where Express puts the response. */
  readonly res?: ServerResponse | undefined
}

/**
 * Who is signed in, or null: at once where nothing has to be waited for, as with most sessions in a
 * cookie. With `res` the session is renewed when it is due. What is not at hand anyway is remembered for the
 * rest of the request.
 */
export function readSession(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Awaitable<Session | null> {
  const state = existingState(req)
  const resolved = requireConfig(getApplication(config).resolved)
  // A cookie that comes too late is dropped. Only a row must not be renewed without its cookie.
  const target = resolved.strategy === 'jwt' || (res && !isTooLate(res)) ? res : undefined
  const reading = { req, config, resolved, target }
  if (state?.lastRead && !isFresh(state.lastRead, req, res, resolved)) state.lastRead = undefined
  for (let previous = state?.lastRead; previous; previous = previous.before) {
    if (previous.config !== config) continue
    return previous.renewed || !target ? previous.session : renewIfDue(reading, previous.checking)
  }
  return readAnew(reading, state?.cookieHeader)
}

/** For how long a read is remembered, in milliseconds: longer than it takes to begin an answer. */
const REMEMBERED_FOR = 10_000

/**
 * Whether a read still counts. A request may stay open for hours, as a WebSocket, a stream or a long
 * poll, and the session end meanwhile: so only until its answer begins, and not for long.
 */
function isFresh(
  { at }: Read,
  req: SessionRequest & Upgraded,
  res: ServerResponse | undefined,
  { now }: ResolvedConfig,
): boolean {
  const response = res ?? req.res
  if (req.upgrade || !response || response.headersSent) return false
  const age = now() - at
  return age >= 0 && age < REMEMBERED_FOR
}

/** The headers of a request that becomes another protocol. */
interface Upgraded {
  readonly upgrade?: boolean | null
}

/** What a session is read for. */
interface Reading {
  readonly req: SessionRequest
  readonly config: object
  readonly resolved: ResolvedConfig
  /** Where its cookie can be renewed. */
  readonly target: ServerResponse | undefined
}

const RENEWING = { canRenew: true }
const READING = { canRenew: false }

function readAnew(reading: Reading, changedCookies: string | undefined): Awaitable<Session | null> {
  const { req, resolved, target } = reading
  const { headers } = req
  const scheme = schemeOf(resolved, resolved.origin ?? requestScheme(req, headers))
  const cookies = changedCookies ?? headers.cookie
  const checking = checkSession(resolved, scheme, cookies, target ? RENEWING : READING)
  // To make a note of it for this request would take longer than to look it up again.
  if (scheme.sessions.remembers && !isPromise(checking) && checking.cookies.length === 0) {
    return checking.session
  }
  return remember(
    reading,
    checking,
    whenChecked(checking, checked => withCookies(checked, reading, changedCookies)),
  )
}

/** For a session that was read without renewing it: it is read again only where there is something to renew. */
function renewIfDue(
  reading: Reading,
  checking: Awaitable<CheckedSession>,
): Awaitable<Session | null> {
  const { req } = reading
  const before = existingState(req)?.cookieHeader
  const session = whenChecked(checking, checked =>
    checked.isCurrent || !checked.session
      ? withCookies(checked, reading, before)
      : readAnew(reading, existingState(req)?.cookieHeader),
  )
  return remember(reading, checking, session)
}

function whenChecked<Result>(
  checking: Awaitable<CheckedSession>,
  use: (checked: CheckedSession) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(checking) ? checking.then(use) : use(checking)
}

/** Remembers a read until the answer begins. */
function remember(
  { req, config, resolved, target }: Reading,
  checking: Awaitable<CheckedSession>,
  session: Awaitable<Session | null>,
): Awaitable<Session | null> {
  const state = getState(req)
  const renewed = target !== undefined
  const at = resolved.now()
  state.lastRead = { config, renewed, at, checking, session, before: state.lastRead }
  return session
}

/** @param read the changed cookies that the session was read from */
function withCookies(
  { session, cookies }: CheckedSession,
  { req, target }: Reading,
  read: string | undefined,
): Session | null {
  // Somebody who signed out meanwhile would be signed in again.
  const isOutdated = existingState(req)?.cookieHeader !== read
  if (target && cookies.length > 0 && !isOutdated) {
    addCookies(target, cookies.map(serializeCookie))
    // A sign-out that follows has to remove these, which may have other names than those that came.
    changeCookies(req, cookies)
  }
  return session
}

/** After someone signed in or out, a request has another session than it came with. */
export function forgetSession(req: SessionRequest): void {
  getState(req).lastRead = undefined
}
