import type { IncomingMessage } from 'node:http'
import { changedCookies } from '@siteauth/core/cookies'
import type { SetCookie } from '@siteauth/core/integration'
import { stateOf } from './request-state.ts'

/** Lets the rest of a request see cookies that its answer sets. */
export function changeCookies(req: IncomingMessage, cookies: readonly SetCookie[]): void {
  const state = stateOf(req)
  state.cookieHeader = changedCookies(state.cookieHeader ?? req.headers.cookie, cookies)
}
