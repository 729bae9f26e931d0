import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { cameTwice } from '../http/duplicate-session-cookies.ts'
import { findSession } from '../http/find-session-cookie.ts'
import type { ParsedRequest } from '../http/request.ts'
import { clearSession, storeSession } from '../http/write-session-cookie.ts'
import type { IssuedSession } from '../session/store.ts'
import { clearPlantedCookies } from './clear-planted-cookies.ts'
import { type CredentialsState, stateOf, type WithCredentials } from './credentials-state.ts'
import { bindingCookies, clearBinding } from './session-binding.ts'

/** A request, with the URL that cookies came to. */
type CookieRequest = WithCredentials & Pick<ParsedRequest, 'url'>

/** The cookies of a session that has begun, which bind it to this browser. They take the place of the one that came. */
export async function newSessionCookies(
  config: Pick<ResolvedConfig, 'paths'>,
  request: CookieRequest,
  issued: IssuedSession,
): Promise<readonly SetCookie[]> {
  const state = stateOf(request)
  const binding = await bindingCookies(state, issued)
  return [
    ...plantedSessionCookies(config, request, state),
    ...storeSession(state.cookie, issued, receivedNames(state)),
    ...(binding.length > 0 ? binding : clearBinding(state)),
  ]
}

/** The cookies of a session that continues under a new token. They say nothing about the browser. */
export function continuedSessionCookies(
  request: WithCredentials,
  issued: IssuedSession,
): readonly SetCookie[] {
  const state = stateOf(request)
  return storeSession(state.cookie, issued, receivedNames(state))
}

/** Removes the session cookies that came. */
export function endedSessionCookies(
  config: Pick<ResolvedConfig, 'paths'>,
  request: CookieRequest,
): readonly SetCookie[] {
  const state = stateOf(request)
  const names = receivedNames(state)
  if (names.length === 0) return []
  return [
    ...plantedSessionCookies(config, request, state),
    ...clearSession(state.cookie, names),
    ...clearBinding(state),
  ]
}

/** Whether a request has a session cookie. */
export function hasSessionCookie(request: WithCredentials): boolean {
  return receivedNames(stateOf(request)).length > 0
}

/**
 * Removes session cookies that another host has set. They come before those that are set: where a framework keeps one cookie
 * of a name, it is the last.
 */
function plantedSessionCookies(
  { paths }: Pick<ResolvedConfig, 'paths'>,
  { url: { hostname, pathname } }: CookieRequest,
  state: CredentialsState,
): readonly SetCookie[] {
  if (!state.isPlanted) return []
  const scope = { hostname, paths: [paths.public, pathname] }
  return clearPlantedCookies(state.cookie, receivedNames(state), scope)
}

function receivedNames({ header, cookie }: CredentialsState): readonly string[] {
  return findSession(header, cookie.name)?.names ?? []
}

/**
 * The cookies of a response, with those of a session whose claims the `jwt` callback has changed when the principal was
 * found. A response that sets or removes the session cookie by itself stays as it is.
 */
export async function withRenewedSession(
  request: WithCredentials,
  cookies: readonly SetCookie[],
): Promise<readonly SetCookie[]> {
  const state = stateOf(request)
  const { renewal, header, cookie } = state
  if (!renewal || cameTwice(header, cookie.name)) return cookies
  const isOfSession = ({ name }: SetCookie) =>
    name === cookie.name || name.startsWith(`${cookie.name}.`)
  // The call may have taken long: another request of the browser may have rotated the session, and its cookie must stay.
  if (cookies.some(isOfSession) || !(await isStillActive(state, renewal))) return cookies
  return [...storeSession(cookie, renewal, receivedNames(state)), ...cookies]
}

/** True as well if the store does not respond: what the callback has changed would be lost. */
async function isStillActive(
  { sessions }: CredentialsState,
  { token }: IssuedSession,
): Promise<boolean> {
  const options = { canRenew: false, isCallbackDone: true }
  try {
    return (await sessions.identify(token, options)).absence === undefined
  } catch {
    return true
  }
}
