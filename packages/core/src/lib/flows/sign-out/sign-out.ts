import { SignOutError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { findSession } from '../../http/find-session-cookie.ts'
import { type RedirectAnswer, redirect } from '../../http/response.ts'
import { clearSession, markChange } from '../../http/write-session-cookie.ts'
import { tokensBeside } from '../../principal/settle-session.ts'
import { clearTokenError } from '../cookies/token-error.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { type CheckedRedirect, chooseReturn, ownSite } from '../request/return-url.ts'

/** `POST signout` */
export async function signOut(config: ResolvedConfig, request: Incoming): Promise<RedirectAnswer> {
  const { userId, to, cookies } = await endOwnSession(config, request)
  if (!config.endsAtProviders) return redirect(to, cookies)
  const { leaveProvider } = await import('./sign-out-at-provider.ts')
  const { clearHint, mayHaveHint } = await import('../cookies/logout-hint.ts')
  const onward = await leaveProvider(config, request, userId, to)
  // One that was of no use here is of none anywhere.
  const isLeft = onward.cookies.length === 0 && mayHaveHint(request)
  const left = isLeft ? clearHint(config, request) : onward.cookies
  return redirect(onward.to, [...cookies, ...left])
}

/** The same where the application calls, in a request to any page of its own. */
export async function signOutByCall(
  config: ResolvedConfig,
  request: Incoming,
): Promise<RedirectAnswer> {
  const { userId, to, cookies } = await endOwnSession(config, request)
  if (!config.endsAtProviders || userId === null) return redirect(to, cookies)
  const { mayHaveHint } = await import('../cookies/logout-hint.ts')
  if (!mayHaveHint(request)) return redirect(to, cookies)
  const { toProviderLogout } = await import('./provider-logout.ts')
  return redirect(await toProviderLogout(config, request, userId, to), cookies)
}

/** A session that was ended, and where its visitor wants to go. */
interface EndedOwnSession {
  /** Whose it was, as far as anybody has to know. */
  readonly userId: string | null
  readonly to: CheckedRedirect
  readonly cookies: readonly SetCookie[]
}

async function endOwnSession(config: ResolvedConfig, request: Incoming): Promise<EndedOwnSession> {
  const { sessions } = request
  const to = await whereTo(config, request)
  const cookie = request.cookieOptions.sessionToken
  const header = request.headers.get('cookie')
  const first = findSession(header, cookie.name)
  if (!first) return { userId: null, to, cookies: [] }
  // The visitor wants to leave: the cookie goes, whatever the store says.
  const cookies = [
    ...clearSession(cookie, first.names),
    ...(await tokenCookies(config, request)),
    ...clearTokenError(request),
    markChange(cookie, config.ports.randomHex),
  ]
  try {
    const arrived = (await request.arrivedSession()) ?? first
    const userId = config.endsAtProviders ? await ownerOf(sessions, arrived.token) : null
    const ended = await sessions.revoke(arrived.token)
    // One that was planted in front of the real one must not be left in its stead.
    for (const other of tokensBeside(header, cookie.name, arrived)) {
      if ((await sessions.userIdOf(other)) !== null) await sessions.revoke(other)
    }
    // The event's type says one or the other, as does what ended.
    await config.events.signOut?.(ended)
    return { userId, to, cookies }
  } catch (cause) {
    // A copy of the cookie still works, so nobody is told that all is well.
    throw new Failure(new SignOutError('The session could not be ended.', { cause }), cookies)
  }
}

/** A store that does not answer keeps nobody from leaving, if only this application. */
async function ownerOf(sessions: Incoming['sessions'], token: string): Promise<string | null> {
  try {
    return await sessions.userIdOf(token)
  } catch {
    return null // ending the session reports it, if that fails as well
  }
}

async function tokenCookies(
  { keepsTokens }: ResolvedConfig,
  request: Incoming,
): Promise<readonly SetCookie[]> {
  return keepsTokens ? (await import('../account/cookie-token.ts')).clearTokens(request) : []
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
