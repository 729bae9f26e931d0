import type { SiteAddress } from '../config/site-address.ts'
import { publicPath } from '../flows/request/endpoint-url.ts'
import { resolveOrigin } from '../http/origin.ts'
import type { SentHeaders } from '../http/request.ts'

/** A request that came to a guard. None of this decides who may pass. */
export interface GuardedRequest {
  readonly method: string | undefined
  readonly headers: Pick<SentHeaders, 'get'>
  /** As the server sees them. The configured origin, or one from a trusted proxy, wins. */
  readonly protocol: string
  readonly host: string
  /** The path and the query, as the application knows them. */
  readonly path: string
  /** The same as it was sent, as far as the framework tells. */
  readonly sentPath: string
  /** Whether a person waits for a page, rather than a program for data. */
  readonly wantsPage: boolean
}

/** Where to send a visitor who has to sign in. */
export interface SignInLocation {
  /** The sign-in page, with the page to return to. */
  readonly url: string
  /** Whether the visitor has just been sent there: then the page is itself behind the guard. */
  readonly isHere: boolean
}

/**
 * Finds the sign-in page for a visitor, who returns to the requested page afterwards.
 *
 * @param redirectTo the sign-in page, if it is not the configured one
 */
export function signInLocation(
  app: SiteAddress,
  request: GuardedRequest,
  redirectTo: string | undefined = app.pages.signIn,
): SignInLocation {
  const page = redirectTo === undefined ? `${app.paths.public}/signin` : publicPath(app, redirectTo)
  const callbackUrl = returnUrl(app, request)
  return { url: withCallbackUrl(page, callbackUrl), isHere: isRepeated(app, page, request) }
}

/** Adds the page to return to. */
function withCallbackUrl(page: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return page
  const [address = '', fragment] = page.split('#', 2)
  const joint = address.includes('?') ? '&' : '?'
  const hash = fragment === undefined ? '' : `#${fragment}`
  return `${address}${joint}callbackUrl=${encodeURIComponent(callbackUrl)}${hash}`
}

/** The requested page. A form cannot be repeated by opening its address, so for one it is the page with the form. */
function returnUrl(app: SiteAddress, request: GuardedRequest): string | undefined {
  if (!isRead(request)) return ownReferer(app, request)
  // Browsers take two slashes, or a backslash, for the start of a host.
  return publicPath(app, request.path.replace(/^[/\\]*/, '/'))
}

/** The page that sent the request, if it is one of this site: other sites send forms, too. */
function ownReferer(
  { origin: configured, trustHost }: SiteAddress,
  { headers, protocol, host }: GuardedRequest,
): string | undefined {
  const referer = headers.get('referer')
  if (!referer || !URL.canParse(referer)) return undefined
  const header = (name: string) => headers.get(name)
  const { origin } = resolveOrigin(configured, trustHost, { header, protocol, host })
  return new URL(referer).origin === origin ? referer : undefined
}

/**
 * Whether a visitor who was sent to the sign-in page is sent there again. This only ends the redirects: the page stays
 * closed. Not at the first time, since a page may call the guard unless it was opened to sign in.
 */
function isRepeated(app: SiteAddress, page: string, request: GuardedRequest): boolean {
  const { sentPath } = request
  if (!isRead(request) || !/[?&]callbackUrl=/.test(sentPath)) return false
  const path = publicPath(app, pathOf(sentPath))
  return page.startsWith('/') ? pathOf(page) === path : pathOf(page) === `${app.origin}${path}`
}

function isRead({ method }: GuardedRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
