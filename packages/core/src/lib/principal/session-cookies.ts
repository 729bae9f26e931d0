import type { SetCookie } from '../http/cookies.ts'
import { cameTwice } from '../http/duplicate-session-cookies.ts'
import { findSession } from '../http/find-session-cookie.ts'
import { clearSession, storeSession } from '../http/write-session-cookie.ts'
import type { IssuedSession, NewSession } from '../session/store.ts'
import type { WithCredentials } from './credentials-state.ts'
import { stateOf } from './credentials-state.ts'
import { bindingCookies, clearBinding } from './session-binding.ts'

/** The cookies of a session that has begun, which bind it to this browser. They take the place of the one that came. */
export async function newSessionCookies(
  request: WithCredentials,
  issued: NewSession,
): Promise<readonly SetCookie[]> {
  const state = stateOf(request)
  const userId = issued.userId === null ? null : String(issued.userId)
  const binding =
    userId === null ? clearBinding(state) : await bindingCookies(state, issued, userId)
  return [...continuedSessionCookies(request, issued), ...binding]
}

/** The cookies of a session that continues under a new token. They say nothing about the browser. */
export function continuedSessionCookies(
  request: WithCredentials,
  issued: IssuedSession,
): readonly SetCookie[] {
  const { header, cookie } = stateOf(request)
  return storeSession(cookie, issued, findSession(header, cookie.name)?.names ?? [])
}

/** Removes the session cookies that came. */
export function endedSessionCookies(request: WithCredentials): readonly SetCookie[] {
  const state = stateOf(request)
  const { header, cookie } = state
  const names = findSession(header, cookie.name)?.names ?? []
  return names.length === 0 ? [] : [...clearSession(cookie, names), ...clearBinding(state)]
}

/**
 * The cookies of a response, with those of a session whose claims the `jwt` callback has changed when the principal was
 * found. A response that sets or removes the session cookie by itself stays as it is.
 */
export function withRenewedSession(
  request: WithCredentials,
  cookies: readonly SetCookie[],
): readonly SetCookie[] {
  const { renewal, header, cookie } = stateOf(request)
  if (!renewal || cameTwice(header, cookie.name)) return cookies
  const isOfSession = ({ name }: SetCookie) =>
    name === cookie.name || name.startsWith(`${cookie.name}.`)
  return cookies.some(isOfSession)
    ? cookies
    : [...continuedSessionCookies(request, renewal), ...cookies]
}
