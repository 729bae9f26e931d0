import {
  type CheckedSession,
  changedCookies,
  isSecure,
  type SessionConfig,
  schemeFor,
  serializeCookie,
} from '@siteauth/core/internal'
import { ORIGIN_PAGE_HEADER, RECEIPT_HEADER } from '../proxy-headers.ts'
import { sealReceipt } from '../read/callback-receipt.ts'
import { addressOf } from '../request-url.ts'
import { letsPass, preventCaching } from './private-answers.ts'

// Other headers by which a middleware of Next controls the request.
const SET_COOKIE = 'x-middleware-set-cookie'
const OVERRIDES = 'x-middleware-override-headers'
const OVERRIDE = 'x-middleware-request-'

/** What tells the browser of new cookies, and what lies behind a proxy of them and of the read. */
export async function sessionApplier(
  config: SessionConfig,
  request: Request,
  { session, cookies }: Pick<CheckedSession, 'session' | 'cookies'>,
): Promise<(response: Response) => Response> {
  const received = request.headers.get('cookie')
  const isChanged = cookies.length > 0
  const cookie = isChanged ? changedCookies(received, cookies) : received
  const scheme = schemeFor(config, { secure: isSecure(config.origin, addressOf(request)) })
  const receipt = session ? await sealReceipt(config, scheme, cookie) : undefined
  const lines = cookies.map(serializeCookie)
  const replaced = {
    ...(isChanged && { cookie: cookie ?? '' }),
    ...(receipt !== undefined && { [RECEIPT_HEADER]: receipt }),
  }
  return response =>
    isChanged || receipt !== undefined
      ? withCookies(response, lines, request, replaced)
      : withoutForgedReceipt(response, request)
}

/**
 * Adds cookies to a response. If it lets the request pass, the page behind sees the request with some
 * of its headers replaced, beside what the response replaces itself.
 */
function withCookies(
  response: Response,
  setCookies: readonly string[],
  request: Request,
  replaced: Readonly<Record<string, string>>,
): Response {
  // A copy, because the headers of some responses cannot be changed.
  const copy = new Response(response.body, response)
  for (const line of setCookies) copy.headers.append('set-cookie', line)
  if (setCookies.length > 0) preventCaching(copy)
  if (!letsPass(copy)) return copy
  // Actions behind the proxy would overwrite its cookies without this.
  for (const line of setCookies) copy.headers.append(SET_COOKIE, line)
  replaceRequestHeaders(copy.headers, request.headers, replaced)
  return copy
}

/**
 * Takes a receipt off the request that only a proxy may hand out, and a visitor has made. Answers the very
 * response where there is none.
 */
export function withoutForgedReceipt(response: Response, request: Request): Response {
  if (!request.headers.has(RECEIPT_HEADER) || !letsPass(response)) return response
  return withCookies(response, [], request, {})
}

/**
 * Lets a request pass that nobody has decided about, for the route at its address alone: no header of the visitor's
 * chooses another one.
 */
export function passAsRouted(response: Response, request: Request): Response {
  if (!request.headers.has(ORIGIN_PAGE_HEADER) || !letsPass(response)) {
    return withoutForgedReceipt(response, request)
  }
  const copy = new Response(response.body, response)
  replaceRequestHeaders(copy.headers, request.headers, {}, [RECEIPT_HEADER, ORIGIN_PAGE_HEADER])
  return copy
}

/** A header that is not listed would be taken off the request: so all of them are. */
function replaceRequestHeaders(
  out: Headers,
  request: Headers,
  replaced: Readonly<Record<string, string>>,
  removed: readonly string[] = [RECEIPT_HEADER],
): void {
  const listed = out.get(OVERRIDES)
  const names = new Set(listed ? listed.split(',').map(name => name.trim()) : request.keys())
  if (!listed) for (const [name, value] of request) out.set(OVERRIDE + name, value)
  for (const name of removed) {
    names.delete(name)
    out.delete(OVERRIDE + name)
  }
  for (const [name, value] of Object.entries(replaced)) {
    names.add(name)
    out.set(OVERRIDE + name, value)
  }
  out.set(OVERRIDES, [...names].join(','))
}
