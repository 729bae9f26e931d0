import type { IncomingMessage } from 'node:http'
import { type SetCookie, serializeCookie } from '@siteauth/core/integration'
import { stateOf } from './request-state.ts'

/** The cookies of a visitor, including those that this very answer sets. */
export function cookieHeaderOf(req: IncomingMessage): string | undefined {
  return stateOf(req).cookieHeader ?? req.headers.cookie
}

/** Lets the rest of a request see cookies that its answer sets. */
export function changeCookies(req: IncomingMessage, cookies: readonly SetCookie[]): void {
  const names = new Set(cookies.map(({ name }) => name))
  const kept = (cookieHeaderOf(req) ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair !== '' && !names.has(pair.slice(0, pair.indexOf('='))))
  const set = cookies
    .filter(({ options }) => options.maxAge !== 0)
    .map(cookie => serializeCookie(cookie).split(';', 1)[0])
  stateOf(req).cookieHeader = [...kept, ...set].join('; ')
}
