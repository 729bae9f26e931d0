import { AuthError, ErrorPageLoop } from '@siteauth/core/errors'
import { pageUrl, type Resolution } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'
import { addressedRequest, originOf } from './addressed.ts'
import type { NextAuthCallbacks } from './auth-config.ts'
import type { Handler } from './call-form.ts'
import { currentHeaders } from './next-runtime.ts'
import { passesOn, passOn } from './pass-on.ts'
import { isEndpoint, isOpenPage, ownPath } from './places.ts'
import { type ReadRequest, requestSession } from './request-session.ts'
import type { SessionReader } from './session-reader.ts'
import { prefixOf, type Settings, usable } from './settings.ts'

/** What there is to answer a request with. */
export interface Answering {
  readonly settings: Settings
  readonly reader: SessionReader
  /** The function that `auth` wraps, with its second argument. */
  readonly wrapped?: { readonly handler: Handler; readonly context: unknown }
}

/**
 * Answers a request as proxy, or in place of a function that it wraps: reads the session, asks
 * `authorized`, and only then lets the request pass.
 */
export async function answerRequest(
  { settings, reader, wrapped }: Answering,
  request: NextRequest,
): Promise<Response> {
  const resolution = await settings.of(request, request)
  const place = placeOf(resolution, request)
  // The endpoints read sessions themselves, and renew or end them.
  if (place.kind === 'endpoint' && !wrapped) return passOn()
  const { authorized } = (resolution.config?.callbacks ?? {}) as Partial<NextAuthCallbacks>
  let read: ReadRequest
  try {
    read = await requestSession(usable(resolution), reader, request)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // A fault of the configuration was logged when it was found.
    if (resolution.config) resolution.frame.logger.error(error)
    const isDecided = wrapped || (authorized && place.kind !== 'open page')
    return isDecided || !resolution.config ? unknownVisitor(resolution) : passOn()
  }
  const auth = read.session
  const verdict =
    !authorized || place.kind === 'endpoint' ? true : await authorized({ request, auth })
  const refusal = refuse(resolution, request, place, wrapped, verdict)
  if (refusal) return read.applyTo(refusal)
  if (!wrapped) return read.applyTo(passOn())
  return read.applyTo(await runWrapped(reader, request, auth, wrapped))
}

interface Place {
  readonly kind: 'endpoint' | 'open page' | 'page'
  /** As browsers see it. */
  readonly url: URL
  /** The origin that Next shows, which is another where it listens on several. */
  readonly shown: string
}

function placeOf(resolution: Resolution, request: NextRequest): Place {
  const { frame } = resolution
  // Next's own view of the URL has the prefix and the language of a path where browsers have them.
  const seen = new URL(request.nextUrl?.href ?? request.url)
  const { origin: shown } = seen
  const origin = originOf(resolution, addressedRequest(request)) ?? shown
  const url = new URL(seen.pathname + seen.search, origin)
  const prefix = prefixOf(resolution)
  const path = ownPath(url.pathname, prefix)
  if (isEndpoint(frame, path)) return { kind: 'endpoint', url, shown }
  return { kind: isOpenPage(frame, path, origin, prefix) ? 'open page' : 'page', url, shown }
}

/** The answer where a request may not pass. */
function refuse(
  resolution: Resolution,
  request: NextRequest,
  place: Place,
  wrapped: Answering['wrapped'],
  verdict: unknown,
): Response | null {
  if (isResponse(verdict)) return ownAnswer(resolution, place, verdict)
  if (verdict || place.kind !== 'page') return null
  if (wrapped && isRoute(wrapped.context) && !wantsPage(request)) {
    return Response.json({ error: 'Unauthorized' }, { status: 401, headers: PRIVATE })
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A form cannot be sent again by going back to its address.
  const callbackUrl = isRead ? place.url.href : (request.headers.get('referer') ?? place.url.href)
  const location = pageUrl(resolution.frame, place.url.origin, 'signIn', { callbackUrl })
  return new Response(null, { status: isRead ? 307 : 303, headers: { ...PRIVATE, location } })
}

const PRIVATE = { 'cache-control': 'private, no-cache, no-store' }

/** What the application answers itself. Null where it would send people in a circle for no reason. */
function ownAnswer(resolution: Resolution, place: Place, response: Response): Response | null {
  const location = response.headers.get('location')
  if (location === null || passesOn(response)) return response
  const to = new URL(location, place.url)
  if (isCircle(place, to) && response.headers.getSetCookie().length === 0) {
    if (place.kind === 'open page') return null
    const { pathname } = place.url
    resolution.frame.logger.error(
      new ErrorPageLoop(
        `The authorized callback sends visitors of ${pathname} to ${pathname}, round in a circle. ` +
          'Let that page pass, or name it in `pages`, whose pages always pass.',
      ),
    )
    return new Response('This page leads to itself. The log of the server says why.', {
      status: 508,
      headers: PRIVATE,
    })
  }
  if (URL.canParse(location)) return response
  // Next takes absolute addresses only.
  const copy = new Response(response.body, response)
  copy.headers.set('location', to.href)
  return copy
}

/** Whether a redirect leads where it comes from, also if it takes along where it came from. */
function isCircle({ url: from, shown }: Place, to: URL): boolean {
  const isOwn = to.origin === from.origin || to.origin === shown
  if (!isOwn || ownPath(to.pathname, '') !== ownPath(from.pathname, '')) return false
  const cameFrom = [...from.searchParams.values()]
  return (
    to.search === from.search ||
    cameFrom.some(
      value => URL.canParse(value, from) && new URL(value, from).pathname === from.pathname,
    )
  )
}

async function runWrapped(
  reader: SessionReader,
  request: NextRequest,
  auth: Session | null,
  { handler, context }: NonNullable<Answering['wrapped']>,
): Promise<Response> {
  // For an auth() inside of the function.
  const headers = await currentHeaders()
  if (headers) reader.share(request, headers)
  const response = await handler(Object.assign(request, { auth }), context)
  if (isResponse(response)) return response
  if (response !== undefined && response !== null) {
    throw new TypeError('A function that auth() wraps must answer a Response, or nothing.')
  }
  if (isRoute(context)) throw new TypeError('The route handler that auth() wraps answered nothing.')
  return passOn()
}

/** It is not known who this is, which does not mean that it is nobody. */
function unknownVisitor({ config }: Resolution): Response {
  return new Response('The session could not be read. The log of the server says why.', {
    status: config ? 503 : 500,
    headers: PRIVATE,
  })
}

/** Route handlers get the parameters of their path, proxies an event. */
function isRoute(context: unknown): boolean {
  return typeof context === 'object' && context !== null && 'params' in context
}

function wantsPage({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (typeof value === 'object' && value !== null && 'headers' in value && 'status' in value)
  )
}
