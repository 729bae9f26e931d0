import type { SessionParams } from '../callbacks.ts'
import { type ResolvedConfig, type Site, siteOf } from '../config/resolved.ts'
import { type AuthError, JWTSessionError, SessionTokenError } from '../errors.ts'
import type { SetCookie } from '../http/cookies.ts'
import type { Incoming } from '../http/incoming.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import {
  type ArrivedSession,
  clearSession,
  findSession,
  storeSession,
} from '../http/session-cookie.ts'
import { isLater } from '../is-later.ts'
import type { Awaitable, JWT, Session } from '../model.ts'
import type { ActiveSession } from '../session/store.ts'

/** A session, and what must happen to its cookie. */
export interface CheckedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
}

const noCookies: readonly SetCookie[] = Object.freeze([])
const noSession: CheckedSession = Object.freeze({ session: null, cookies: noCookies })

/** `GET session` */
export async function readSession(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const site = siteOf(config, request.origin)
  const { session, cookies } = await checkSession(config, site, request.headers.get('cookie'), true)
  return json(session, 200, cookies)
}

/**
 * Who is signed in: the one way in which a session is read, over HTTP and by function call.
 *
 * Answers at once where nothing has to be waited for, as is the case for most sessions in a cookie.
 *
 * @param renew whether new cookies reach the browser. Where they do not, none are made.
 * @param asked whether the `jwt` callback has seen this very token in this very request
 */
export function checkSession(
  config: ResolvedConfig,
  site: Site,
  cookieHeader: string | null | undefined,
  renew: boolean,
  asked: boolean = false,
): Awaitable<CheckedSession> {
  const arrived = findSession(cookieHeader, site.cookies.sessionToken.name)
  if (!arrived) return noSession
  try {
    const reading = site.sessions.read(arrived.token, renew, asked)
    const checked = isLater(reading)
      ? reading.then(active => present(config, site, arrived, active))
      : present(config, site, arrived, reading)
    return isLater(checked) ? checked.then(undefined, fail) : checked
  } catch (error) {
    return fail(error)
  }

  function fail(error: unknown): never {
    throw asSessionError(config, error)
  }
}

/** Lets the application decide what is seen of a session, and puts its cookie in order. */
export function present(
  config: ResolvedConfig,
  site: Site,
  arrived: ArrivedSession,
  active: ActiveSession | null,
): Awaitable<CheckedSession> {
  const cookie = site.cookies.sessionToken
  if (!active) return { session: null, cookies: clearSession(cookie, arrived.names) }
  const { renewal } = active
  const cookies = renewal
    ? storeSession(cookie, renewal.token, renewal.expires, arrived.names)
    : noCookies
  return active.params
    ? askCallbacks(config, active.shown, active.params, active.token).then(session => ({
        session,
        cookies,
      }))
    : { session: active.shown, cookies }
}

async function askCallbacks(
  config: ResolvedConfig,
  shown: Session,
  params: SessionParams,
  token: JWT | undefined,
): Promise<Session> {
  const { callbacks, events } = config
  const session = callbacks.session ? await callbacks.session(params) : shown
  if (session === undefined) {
    throw new (errorFor(config))('The session callback returned nothing. Return the session.')
  }
  if (session) await events.session?.({ session, ...(token && { token }) })
  return session
}

/** A store or a callback that fails says nothing about who is signed in: it is never "nobody". */
export function asSessionError(config: ResolvedConfig, error: unknown): AuthError {
  if (error instanceof JWTSessionError || error instanceof SessionTokenError) return error
  return new (errorFor(config))('The session could not be read.', { cause: error })
}

function errorFor({ strategy }: ResolvedConfig): typeof AuthError {
  return strategy === 'jwt' ? JWTSessionError : SessionTokenError
}
