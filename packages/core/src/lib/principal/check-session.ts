import type { Awaitable } from '../base/awaitable.ts'
import { isPromise, lazily } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import type { ReadingScheme, SessionConfig } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { findSession, type ReceivedCookie } from '../http/find-session-cookie.ts'
import type { ActiveSession, ReadOptions } from '../session/store.ts'
import type { CheckedSession } from './apply-session-cookie.ts'

// Errors are logged by code that is loaded when one occurs.
const sessionErrors = () => import('./session-error.ts')
const tokenErrors = lazily(() => import('./with-token-error.ts'))
const sessionCookies = lazily(() => import('./apply-session-cookie.ts'))

const noCookies: readonly SetCookie[] = []
const noSession: CheckedSession = { session: null, cookies: noCookies }

/**
 * The session check: the only way in which a session is read, over HTTP and by function call.
 *
 * Returns at once if nothing has to be awaited, as is the case for most sessions in a cookie.
 *
 * @param options whether new cookies reach the browser. If not, none are made.
 */
export function checkSession(
  config: SessionConfig,
  scheme: ReadingScheme,
  cookieHeader: string | null | undefined,
  options: ReadOptions,
): Awaitable<CheckedSession> {
  const checked = check(config, scheme, cookieHeader, options)
  return config.showsTokenErrors
    ? tokenErrors(({ withTokenError }) => withTokenError(checked, scheme, cookieHeader))
    : checked
}

function check(
  config: SessionConfig,
  scheme: ReadingScheme,
  cookieHeader: string | null | undefined,
  options: ReadOptions,
): Awaitable<CheckedSession> {
  const received = findSession(cookieHeader, scheme.cookieOptions.sessionToken.name)
  if (!received) return noSession
  try {
    const reading = scheme.sessions.read(received.token, options)
    if (isPromise(reading)) return finishCheckLater(config, scheme, received, reading, cookieHeader)
    const checked = finishSessionCheck(config, scheme, received, reading, cookieHeader)
    return isPromise(checked) ? checked.then(undefined, error => fail(config, error)) : checked
  } catch (error) {
    return fail(config, error)
  }
}

async function finishCheckLater(
  config: SessionConfig,
  scheme: ReadingScheme,
  received: ReceivedCookie,
  reading: PromiseLike<ActiveSession | null>,
  cookieHeader: string | null | undefined,
): Promise<CheckedSession> {
  try {
    const checked = finishSessionCheck(config, scheme, received, await reading, cookieHeader)
    return isPromise(checked) ? await checked : checked
  } catch (error) {
    return fail(config, error)
  }
}

async function fail(config: SessionConfig, error: unknown): Promise<never> {
  throw (await sessionErrors()).asSessionError(config, error)
}

/**
 * Lets the application decide what is seen of a session, and puts its cookie in order.
 *
 * @param cookieHeader where another cookie may hold the session, if this one does not
 */
export function finishSessionCheck(
  config: SessionConfig,
  scheme: ReadingScheme,
  received: ReceivedCookie,
  active: ActiveSession | null,
  cookieHeader?: string | null,
): Awaitable<CheckedSession> {
  return active && !active.renewal
    ? applyCallbacks(config, active, noCookies)
    : sessionCookies(({ applySessionCookie }) =>
        applySessionCookie(scheme, received, active, cookieHeader, (found, cookies) =>
          applyCallbacks(config, found, cookies),
        ),
      )
}

function applyCallbacks(
  config: SessionConfig,
  active: ActiveSession,
  cookies: readonly SetCookie[],
): Awaitable<CheckedSession> {
  const { params, session, isCurrent } = active
  if (!params) return { session, cookies, isCurrent }
  return askCallbacks(config, active, cookies)
}

async function askCallbacks(
  config: SessionConfig,
  active: ActiveSession,
  cookies: readonly SetCookie[],
): Promise<CheckedSession> {
  const { token, isCurrent } = active
  const session = await applySessionCallback(config, active)
  if (session) await config.events.session?.({ session, ...(token && { token }) })
  return { session, cookies, isCurrent }
}

/** The result of the `session` callback; null if it hides the session. */
export async function applySessionCallback(
  config: SessionConfig,
  { session: unchanged, params }: ActiveSession,
): Promise<Session | null> {
  const { callbacks } = config
  const session = callbacks.session && params ? await callbacks.session(params) : unchanged
  // `token.isActive && session` may be false, which is neither a session nor the absence of one.
  if (typeof session !== 'object') throw (await sessionErrors()).notASession(config, session)
  return session
}
