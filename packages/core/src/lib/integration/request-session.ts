import type { Session } from '../base/session.ts'
import type { SessionConfig } from '../config/resolved-config.ts'
import { schemeFor } from '../config/scheme.ts'
import type { SetCookie } from '../http/cookies.ts'
import type { SentHeaders, SentRequest } from '../http/request.ts'
import { isSecure } from '../http/request-headers.ts'
import { checkSession } from '../principal/check-session.ts'
import type { FindApplication } from './application.ts'
import type { FrameworkAdapter } from './framework-adapter.ts'

/** The session and the cookies of requests, for as long as each lasts. */
export interface RequestSession<Context extends object> {
  /** Returns the session, or null. Reads it once for each request, and renews it when it is due. */
  session(context: Context): Promise<Session | null>
  /** Sets cookies on the response, and has the rest of the request see them. */
  setCookies(context: Context, cookies: readonly SetCookie[]): Promise<void>
  /** The request with the cookies that the browser will send from now on. */
  calledRequest(context: Context): CalledRequest
}

/** A request as a call or a guard sees it. */
export type CalledRequest = Omit<SentRequest, 'url' | 'body'> & { readonly url: URL }

/** The state of a request while it lasts. */
interface RequestState {
  read?: Read | undefined
  /** The cookies that the browser will send from now on, if they differ from those it sent. */
  cookieHeader?: string
}

interface Read {
  /** The time of the read, in milliseconds. */
  readonly at: number
  readonly session: Promise<Session | null>
}

/** Reads sessions for a framework, and sets their cookies. */
export function createRequestSession<Context extends object>(
  host: FrameworkAdapter<Context, unknown, unknown>,
  applicationOf: FindApplication<Context>,
): RequestSession<Context> {
  const states = new WeakMap<object, RequestState>()

  function stateOf(context: Context): RequestState {
    const key = host.key?.(context) ?? context
    const found = states.get(key)
    if (found) return found
    const state: RequestState = {}
    states.set(key, state)
    return state
  }

  async function changeCookies(
    context: Context,
    cookies: readonly SetCookie[],
    isOutdated?: (state: RequestState) => boolean,
  ): Promise<void> {
    if (cookies.length === 0) return
    const { changedCookies, serializeCookie } = await import('../http/cookie-text.ts')
    const state = stateOf(context)
    if (isOutdated?.(state)) return
    const before = state.cookieHeader ?? host.request(context).headers.get('cookie')
    state.cookieHeader = changedCookies(before, cookies)
    host.change(context, { setCookies: cookies.map(serializeCookie), caching: 'never' })
  }

  async function read(context: Context, sessions: SessionConfig): Promise<Session | null> {
    const { headers, url: protocol } = host.request(context)
    const header = (name: string) => headers.get(name)
    const scheme = schemeFor(sessions, { secure: isSecure(sessions.origin, { header, protocol }) })
    const { cookieHeader } = stateOf(context)
    const cookies = cookieHeader ?? header('cookie')
    // A row must not be renewed without its cookie; a cookie that comes too late is no harm.
    const canRenew = !host.hasBegun?.(context)
    const checked = await checkSession(sessions, scheme, cookies, { canRenew })
    // A user who signed out meanwhile would be signed in again.
    const isOutdated = (state: RequestState) => state.cookieHeader !== cookieHeader
    if (canRenew) await changeCookies(context, checked.cookies, isOutdated)
    return checked.session
  }

  return {
    async session(context) {
      const sessions = await applicationOf(context).loader.sessions()
      const state = stateOf(context)
      const now = sessions.now()
      if (!state.read || !isFresh(state.read, now) || host.hasBegun?.(context)) {
        state.read = { at: now, session: read(context, sessions) }
      }
      return state.read.session
    },
    async setCookies(context, cookies) {
      await changeCookies(context, cookies)
      // Last: a read at the same time may still have seen the cookies from before.
      if (cookies.length > 0) stateOf(context).read = undefined
    },
    calledRequest(context) {
      const { url, method, headers, sender } = host.request(context)
      const { cookieHeader } = stateOf(context)
      return { url: new URL(url), method, headers: withCookies(headers, cookieHeader), sender }
    },
  }
}

/** How long a read is remembered, in milliseconds: longer than it takes to begin a response. */
const REMEMBERED_FOR = 10_000

/** A request may stay open for hours, as a stream or a WebSocket, and the session end meanwhile. */
function isFresh({ at }: Read, now: number): boolean {
  return now >= at && now - at < REMEMBERED_FOR
}

function withCookies(headers: SentHeaders, cookies: string | undefined): SentHeaders {
  if (cookies === undefined) return headers
  const copy = new Headers([...headers])
  copy.set('cookie', cookies)
  return copy
}
