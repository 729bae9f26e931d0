import { SignOutError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { endReceivedSessions } from '../../principal/end-received-sessions.ts'
import { hasSessionCookie } from '../../principal/session-cookies.ts'
import { signOutCookies } from '../cookies/sign-out-cookies.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { type CheckedRedirect, chooseReturn, ownSite } from '../request/return-url.ts'

/** `POST signout` */
export async function signOut(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingRedirect> {
  const { userId, to, cookies } = await endOwnSession(config, request)
  if (!config.endsAtProviders) return redirect(to, cookies)
  const { leaveProvider } = await import('./sign-out-at-provider.ts')
  const { clearHint, mayHaveHint } = await import('../cookies/logout-hint.ts')
  const onward = await leaveProvider(config, request, userId, to)
  // A hint that could not be used here is useless.
  const isLeft = onward.cookies.length === 0 && mayHaveHint(request)
  const left = isLeft ? clearHint(config, request) : onward.cookies
  return redirect(onward.to, [...cookies, ...left])
}

/** The same where the application calls, in a request to any page of its own. */
export async function signOutByCall(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingRedirect> {
  const { userId, to, cookies } = await endOwnSession(config, request)
  if (!config.endsAtProviders || userId === null) return redirect(to, cookies)
  const { mayHaveHint } = await import('../cookies/logout-hint.ts')
  if (!mayHaveHint(request)) return redirect(to, cookies)
  const { toProviderLogout } = await import('./provider-logout.ts')
  return redirect(await toProviderLogout(config, request, userId, to), cookies)
}

/** A session that was ended, and where its visitor wants to go. */
interface EndedOwnSession {
  /** The user of the session, if the caller needs to know. */
  readonly userId: string | null
  readonly to: CheckedRedirect
  readonly cookies: readonly SetCookie[]
}

async function endOwnSession(config: ResolvedConfig, request: Incoming): Promise<EndedOwnSession> {
  const to = await whereTo(config, request)
  if (!hasSessionCookie(request)) return { userId: null, to, cookies: [] }
  try {
    const session = await endReceivedSessions(request, { needsOwner: config.endsAtProviders })
    // The event's type has one or the other, as the ended session does.
    if (session) await config.events.signOut?.(session.ended)
    const userId = session?.userId ?? null
    return { userId, to, cookies: await signOutCookies(config, request) }
  } catch (cause) {
    // The visitor wants to leave: the cookie is cleared, even if the store fails. A copy of it still works, so the
    // failure is reported.
    const cookies = await signOutCookies(config, request)
    throw new Failure(new SignOutError('The session could not be ended.', { cause }), cookies)
  }
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
