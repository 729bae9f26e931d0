import type { IncomingMessage } from 'node:http'
import { changedCookies } from '@siteauth/core/cookies'
import type { SetCookie } from '@siteauth/core/integration'
import { stateOf } from './request-state.ts'

/** The cookies of a visitor, including those that this very answer sets. */
function cookieHeaderOf(req: IncomingMessage): string | undefined {
  return stateOf(req).cookieHeader ?? req.headers.cookie
}

/** Lets the rest of a request see cookies that its answer sets. */
export function changeCookies(req: IncomingMessage, cookies: readonly SetCookie[]): void {
  stateOf(req).cookieHeader = changedCookies(cookieHeaderOf(req), cookies)
}
