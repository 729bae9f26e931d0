import { SignOutError } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import type { SetCookie } from '../http/cookies.ts'
import { type RedirectAnswer, redirect } from '../http/outgoing.ts'
import { findSession } from '../http/session-cookie.ts'
import { clearSession, markChange } from '../http/store-session.ts'
import { type CheckedRedirect, chooseReturn, ownSite } from '../steps/choose-redirect.ts'
import { Failure } from '../steps/failure.ts'
import type { Incoming } from '../steps/incoming.ts'
import { tokensBeside } from '../steps/settle-session.ts'
import { clearTokenError } from '../steps/token-error-cookie.ts'

/** `POST signout` */
export async function signOut(config: ResolvedConfig, request: Incoming): Promise<RedirectAnswer> {
  const { sessions } = request
  const to = await whereTo(config, request)
  const cookie = request.cookieOptions.sessionToken
  const header = request.headers.get('cookie')
  const first = findSession(header, cookie.name)
  if (!first) return redirect(to)
  // The visitor wants to leave: the cookie goes, whatever the store says.
  const cookies = [
    ...clearSession(cookie, first.names),
    ...(await tokenCookies(config, request)),
    ...clearTokenError(request),
    markChange(cookie, config.ports.randomHex),
  ]
  try {
    const arrived = (await request.arrivedSession()) ?? first
    const ended = await sessions.revoke(arrived.token)
    // One that was planted in front of the real one must not be left in its stead.
    for (const other of tokensBeside(header, cookie.name, arrived)) {
      if ((await sessions.userIdOf(other)) !== null) await sessions.revoke(other)
    }
    // The event's type says one or the other, as does what ended.
    await config.events.signOut?.(ended)
  } catch (cause) {
    // A copy of the cookie still works, so nobody is told that all is well.
    throw new Failure(new SignOutError('The session could not be ended.', { cause }), cookies)
  }
  return redirect(to, cookies)
}

async function tokenCookies(
  { keepsTokens }: ResolvedConfig,
  request: Incoming,
): Promise<readonly SetCookie[]> {
  return keepsTokens ? (await import('../steps/cookie-token.ts')).clearTokens(request) : []
}

async function whereTo(config: ResolvedConfig, request: Incoming): Promise<CheckedRedirect> {
  try {
    return await chooseReturn(config, request)
  } catch (error) {
    // Nor does a fault of the application keep anyone from leaving.
    config.logger.error(new SignOutError('The redirect callback failed.', { cause: error }))
    return ownSite(config, request.origin)
  }
}
