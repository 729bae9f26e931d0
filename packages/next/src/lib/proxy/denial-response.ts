import { ErrorPageLoop } from '@siteauth/core/errors'
import { toResponse } from '@siteauth/core/integration'
import { decideAccess, pageUrl, toDenial } from '@siteauth/core/internal'
import type { Session } from '@siteauth/core/types'
import type { NextConfigLoader } from '../config/settings.ts'
import { pathWithout } from '../request-url.ts'
import { withoutRsc } from '../without-rsc.ts'
import { forOneVisitor, letsPass, PRIVATE } from './private-answers.ts'
import { type RequestedPage, requestedPage, type Visit } from './requested-page.ts'

/** A request, and the result of `authorized`. */
export interface Judged extends Visit {
  readonly auth: Session | null
  /** What the callback answered; true where there is none. */
  readonly authorization: unknown
}

/** The answer where a request may not pass; null if it may after all. */
export async function denialResponse(
  judged: Judged,
  { isRoute }: { readonly isRoute: boolean },
): Promise<Response | null> {
  const { loader, request, auth, authorization } = judged
  const page = requestedPage(judged)
  if (isResponse(authorization)) {
    const response = await ownResponse(loader, page, authorization)
    return response && auth ? forOneVisitor(response) : response
  }
  const decision = decideAccess(auth, { allowed: Boolean(authorization), coversAnonymous: true })
  // A route handler that asks exempts nothing: it is not the sign-in page, or would not ask.
  if (decision === 'allow' || (page.isOpen && !isRoute)) return null
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A form cannot be sent again by going back to its address.
  const { href: callbackUrl } = (isRead ? undefined : ownReferer(request, page.url)) ?? page.url
  const signInUrl = pageUrl(page.app, page.url.origin, 'signIn', { callbackUrl })
  const denial = toDenial(decision, { wantsPage: !isProgram(request, { isRoute }), signInUrl })
  // A redirect of Next's own keeps the method, and after a form it must not.
  const status = denial.status === 302 ? (isRead ? 307 : 303) : denial.status
  return toResponse({ ...denial, status })
}

/** The page that a form was on, if it is one of this site: pages of others send forms, too. */
function ownReferer({ headers }: Request, { origin }: URL): URL | undefined {
  const referer = headers.get('referer') ?? ''
  const url = URL.canParse(referer) ? withoutRsc(new URL(referer)) : undefined
  return url?.origin === origin ? url : undefined
}

/** What the application answers itself. Null if it would send people in a circle for no reason. */
async function ownResponse(
  loader: NextConfigLoader,
  page: RequestedPage,
  response: Response,
): Promise<Response | null> {
  const location = response.headers.get('location')
  if (location === null || letsPass(response)) return response
  const to = new URL(location, page.url)
  if (isCircle(page, to) && response.headers.getSetCookie().length === 0) {
    if (page.isOpen) return null
    return circleResponse(loader, page.url.pathname)
  }
  if (URL.canParse(location)) return response
  // Next takes absolute addresses only.
  const copy = new Response(response.body, response)
  copy.headers.set('location', to.href)
  return copy
}

/** Whether a redirect leads where it comes from, also if it takes along where it came from. */
function isCircle({ url: from, nextOrigin }: RequestedPage, to: URL): boolean {
  const isOwn = to.origin === from.origin || to.origin === nextOrigin
  if (!isOwn || pathWithout('', to.pathname) !== pathWithout('', from.pathname)) return false
  const cameFrom = [...from.searchParams.values()]
  return (
    to.search === from.search ||
    cameFrom.some(
      value => URL.canParse(value, from) && new URL(value, from).pathname === from.pathname,
    )
  )
}

/** The answer where the application would send people round in a circle. */
async function circleResponse(loader: NextConfigLoader, pathname: string): Promise<Response> {
  const resolved = await loader.complete()
  resolved.logger.error(
    new ErrorPageLoop(
      `The authorized callback redirects ${pathname} to ${pathname}, in an endless loop. ` +
        'Let that page through, or list it in `pages`, which are always let through.',
    ),
  )
  return new Response('This page redirects to itself. The server log says why.', {
    status: 508,
    headers: PRIVATE,
  })
}

/** Pages are behind a proxy, and Next's router takes anything for one. At a route handler, few ask for a page. */
function isProgram({ headers }: Request, { isRoute }: { readonly isRoute: boolean }): boolean {
  if (headers.get('x-requested-with')?.toLowerCase() === 'xmlhttprequest') return true
  const accept = headers.get('accept') ?? ''
  if (accept.includes('text/html')) return false
  return isRoute || /[/+]json\b/.test(accept)
}

/** Not by `instanceof` alone: there may be several classes of that name in one process. */
export function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (typeof value === 'object' && value !== null && 'headers' in value && 'status' in value)
  )
}
