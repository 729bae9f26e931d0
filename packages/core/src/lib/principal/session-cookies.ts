import type { SetCookie } from '../http/cookies.ts'
import { cameTwice } from '../http/duplicate-session-cookies.ts'
import { findSession } from '../http/find-session-cookie.ts'
import { clearSession, storeSession } from '../http/write-session-cookie.ts'
import type { IssuedSession } from '../session/store.ts'
import type { WithCredentials } from './credentials-state.ts'
import { stateOf } from './credentials-state.ts'

/** The cookies that store a session in place of the one that came, or remove that one. */
export function sessionCookies(
  request: WithCredentials,
  issued: IssuedSession | null,
): readonly SetCookie[] {
  const { header, cookie } = stateOf(request)
  const names = findSession(header, cookie.name)?.names ?? []
  return issued ? storeSession(cookie, issued, names) : clearSession(cookie, names)
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
  return cookies.some(isOfSession) ? cookies : [...sessionCookies(request, renewal), ...cookies]
}
