import type { Whereabouts } from '../config/paths.ts'
import type { SentHeaders } from '../http/incoming.ts'
import { resolveOrigin } from '../http/origin.ts'
import { PRIVATE } from '../http/private-answer.ts'
import type { WireAnswer } from '../http/to-response.ts'
import { publicPath } from '../steps/page-url.ts'

/** A request that came to a guard. */
export interface GuardedRequest {
  readonly method: string | undefined
  readonly headers: Pick<SentHeaders, 'get'>
  /** As this server sees them. What is configured, or said by a trusted proxy, wins. */
  readonly protocol: string
  readonly host: string
  /** The path and the query, as the application knows them. */
  readonly path: string
  /** Whether a person waits for a page, rather than a program for data. */
  readonly wantsPage: boolean
}

/** Why somebody is turned away: nobody is signed in, or whoever is may not. */
export type Refused = 'signed out' | 'forbidden'

/**
 * The answer to somebody who may not see what they asked for: people are sent to sign in, or told that it is
 * not theirs, and programs get 401 or 403. Null where they may stay after all: at the page to sign in.
 *
 * @param redirectTo where people sign in, if not at the configured page
 */
export function turnAway(
  app: Whereabouts,
  request: GuardedRequest,
  why: Refused,
  redirectTo?: string | undefined,
): WireAnswer | null {
  if (!request.wantsPage) {
    return why === 'forbidden'
      ? answerProgram(403, 'Forbidden')
      : answerProgram(401, 'Unauthorized')
  }
  const page = signInPage(app, redirectTo)
  const here = whereFrom(app, request)
  // Where the page to sign in lies behind the guard itself, visitors would go round in a circle.
  if (isRead(request) && here && isAt(page, here, () => ownOrigin(app, request))) return null
  const location = withCallbackUrl(page, here)
  if (why === 'forbidden') return forbid(location)
  const headers = { Location: location, 'Cache-Control': PRIVATE }
  return { status: 302, headers, setCookies: [], body: null }
}

/** The answer where it is not known who somebody is, which does not mean that it is nobody. */
export function answerUnknown(
  { wantsPage }: Pick<GuardedRequest, 'wantsPage'>,
  status: 500 | 503,
): WireAnswer {
  if (!wantsPage) {
    return answerProgram(status, status === 503 ? 'Service Unavailable' : 'Internal Server Error')
  }
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'text/plain; charset=utf-8' }
  const body = 'The session could not be read. The server log says why.'
  return { status, headers, setCookies: [], body }
}

function answerProgram(status: number, error: string): WireAnswer {
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'application/json; charset=utf-8' }
  return { status, headers, setCookies: [], body: JSON.stringify({ error }) }
}

/** A page for someone who may not see another, but may be someone else, too. */
function forbid(signIn: string): WireAnswer {
  const href = signIn.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Forbidden</title>
<h1>You do not have access to this page</h1><p><a href="${href}">Sign in as someone else</a></p></html>`
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'text/html; charset=utf-8' }
  return { status: 403, headers, setCookies: [], body }
}

/** Where people sign in, as browsers see it: a path, or a URL where one is configured. */
function signInPage(app: Whereabouts, own: string | undefined = app.pages.signIn): string {
  return own === undefined ? `${app.paths.public}/signin` : publicPath(app, own)
}

/** The address of a page that is told where to send people afterwards. */
function withCallbackUrl(page: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return page
  const [address = '', fragment] = page.split('#', 2)
  const joint = address.includes('?') ? '&' : '?'
  const hash = fragment === undefined ? '' : `#${fragment}`
  return `${address}${joint}callbackUrl=${encodeURIComponent(callbackUrl)}${hash}`
}

/** Where the visitor was. A form cannot be repeated, so for one it is the page that it was on. */
function whereFrom(app: Whereabouts, request: GuardedRequest): string | undefined {
  if (!isRead(request)) return ownReferer(app, request)
  // Browsers read two slashes, or one that leans the other way, as the start of a host.
  return publicPath(app, request.path.replace(/^[/\\]*/, '/'))
}

function isRead({ method }: GuardedRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The page that the visitor is on, if it is one of this site: pages of others send forms, too. */
function ownReferer(app: Whereabouts, request: GuardedRequest): string | undefined {
  const referer = request.headers.get('referer')
  if (!referer || !URL.canParse(referer)) return undefined
  return new URL(referer).origin === ownOrigin(app, request) ? referer : undefined
}

/** Where this site is for the visitor; undefined if the host that a request names is not trusted. */
function ownOrigin(
  { origin, trustHost }: Whereabouts,
  { headers, protocol, host }: GuardedRequest,
): string | undefined {
  const header = (name: string) => headers.get(name)
  return resolveOrigin(origin, trustHost, { header, protocol, host }).origin
}

/**
 * Whether a page, which may be a URL, is the one at an address of this site. Where its query tells it from
 * others at the same path, that counts too; what else the address asks for does not.
 */
function isAt(page: string, here: string, origin: () => string | undefined): boolean {
  const path = pathOf(here)
  const isSamePath = page.startsWith('/')
    ? pathOf(page) === path
    : URL.canParse(page) && pathOf(new URL(page).href) === `${origin()}${path}`
  if (!isSamePath) return false
  const sent = queryOf(here)
  const wanted = queryOf(page)
  return [...wanted.keys()].every(
    name => valuesOf(sent, name) === valuesOf(wanted, name) && !hasPartsOf(sent, name),
  )
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])
}

function valuesOf(query: URLSearchParams, name: string): string {
  return JSON.stringify(query.getAll(name))
}

/** Parsers of queries may add `name[]` and `name[key]` to what `name` says. */
function hasPartsOf(query: URLSearchParams, name: string): boolean {
  return [...query.keys()].some(each => each.startsWith(`${name}[`))
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
