import type { IncomingMessage } from 'node:http'
import { type CheckedSession, changedCookies, type SetCookie } from '@siteauth/core/internal'
import type { Awaitable, Session } from '@siteauth/core/types'

/** What is remembered of a request while it lasts. */
export interface RequestState {
  /** The newest read of its session. */
  lastRead: Read | undefined
  /** The cookies that the browser will send from now on, where those differ from what it sent. */
  cookieHeader: string | undefined
}

/** A read of a session for one request, and the one before it. */
export interface Read {
  readonly config: object
  readonly renewed: boolean
  /** When it was, in milliseconds. */
  readonly at: number
  readonly checking: Awaitable<CheckedSession>
  readonly session: Awaitable<Session | null>
  readonly before: Read | undefined
}

// Beside the request: with one more property on it, all that Node and Express do with it afterwards
// is slower, by more than a session check takes.
const states = new WeakMap<IncomingMessage, RequestState>()

/** Most requests need none, and to make one takes as long as to look a session up again. */
export function existingState(req: IncomingMessage): RequestState | undefined {
  return states.get(req)
}

export function getState(req: IncomingMessage): RequestState {
  const existing = states.get(req)
  if (existing) return existing
  const state = { lastRead: undefined, cookieHeader: undefined }
  states.set(req, state)
  return state
}

/** Lets the rest of a request see cookies that its answer sets. */
export function changeCookies(req: IncomingMessage, cookies: readonly SetCookie[]): void {
  const state = getState(req)
  state.cookieHeader = changedCookies(state.cookieHeader ?? req.headers.cookie, cookies)
}
