import { ASKED_HEADER } from './asked.ts'
import { keepFromCaches, passesOn } from './responses.ts'

// More of what a middleware of Next says by headers on its response.
const SET_COOKIE = 'x-middleware-set-cookie'
const OVERRIDES = 'x-middleware-override-headers'
const OVERRIDE = 'x-middleware-request-'

/**
 * Adds cookies to a response. If it lets the request pass, the page behind sees the request with some
 * of its headers replaced, beside what the response replaces itself.
 */
export function withCookies(
  response: Response,
  setCookies: readonly string[],
  request: Request,
  replaced: Readonly<Record<string, string>>,
): Response {
  // A copy, because the headers of some responses cannot be changed.
  const copy = new Response(response.body, response)
  for (const line of setCookies) copy.headers.append('set-cookie', line)
  if (setCookies.length > 0) keepFromCaches(copy)
  if (!passesOn(copy)) return copy
  // Actions behind the proxy would overwrite its cookies without this.
  for (const line of setCookies) copy.headers.append(SET_COOKIE, line)
  replaceRequestHeaders(copy.headers, request.headers, replaced)
  return copy
}

/**
 * Takes off the request what only a proxy may say to the page behind it, and a visitor has said. Answers
 * the very response where nobody has.
 */
export function withoutAsked(response: Response, request: Request): Response {
  if (!request.headers.has(ASKED_HEADER) || !passesOn(response)) return response
  return withCookies(response, [], request, {})
}

/** A header that is not listed would be taken off the request: so all of them are. */
function replaceRequestHeaders(
  out: Headers,
  request: Headers,
  replaced: Readonly<Record<string, string>>,
): void {
  const listed = out.get(OVERRIDES)
  const names = new Set(listed ? listed.split(',').map(name => name.trim()) : request.keys())
  names.delete(ASKED_HEADER)
  if (!listed) for (const [name, value] of request) out.set(OVERRIDE + name, value)
  out.delete(OVERRIDE + ASKED_HEADER)
  for (const [name, value] of Object.entries(replaced)) {
    names.add(name)
    out.set(OVERRIDE + name, value)
  }
  out.set(OVERRIDES, [...names].join(','))
}
