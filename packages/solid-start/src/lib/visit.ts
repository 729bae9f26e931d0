import {
  changeHeaders,
  changeResponse,
  type ResponseChange,
  type SentRequest,
} from '@siteauth/core/integration'
import { cookiesAfter, senderOf } from '@siteauth/core/internal'
import { beforeFirstChunk } from './before-first-chunk.ts'
import type { NativeEvent, ResponseParts, SolidEvent } from './solid-event.ts'

/** The state of a request while it lasts. */
export interface Visit {
  /** The request that arrived: events have others while SolidStart renders pages for the answer to an action. */
  readonly request: Request
  readonly response: ResponseParts
  /** What the answer waits for. */
  readonly work: Set<Promise<unknown>>
  /** Which caches may store the response, if that was restricted. */
  caching?: ResponseChange['caching']
  /** Not so of the page that is rendered for the response to an action, though its request has such a header. */
  readonly isCached: boolean
  /** Whether all that could be changed was changed. */
  isFinished: boolean
  /** SolidStart may have sent a redirect already, before we see it. */
  readonly native: NativeEvent
}

/** The request as it was sent: `event` may be a copy. */
export function sentIn(visit: Visit, event: SolidEvent): SentRequest {
  const { method, url, body, bodyUsed } = event.request
  const headers = headersOf(event)
  const isCopy = event.request !== visit.request
  return {
    method,
    url,
    headers: isCopy ? withSentCookies(headers, visit) : headers,
    body,
    bodyUsed,
    sender: senderIn(event),
  }
}

/** Makes a change to the response. */
export function changeIn(visit: Visit, change: ResponseChange): void {
  const { headers } = visit.response
  const isFirst = visit.caching === undefined
  if (visit.caching !== 'never') visit.caching = change.caching
  if (hasBegun(visit)) return
  // Headers from before this were meant for all pages. Those that the page sets after it count.
  if (isFirst) headers.delete('cache-control')
  // At once: SolidStart keeps these headers whatever is thrown later, and renders with these cookies.
  changeHeaders(headers, change)
}

/** Has the response wait for something that was begun before it. */
export async function during<Result>({ work }: Visit, run: () => Promise<Result>): Promise<Result> {
  const running = run()
  work.add(running)
  try {
    return await running
  } finally {
    work.delete(running)
  }
}

/** The response of the application, once everything it waits for is done. */
export async function finish<Body>(
  visit: Visit,
  body: Body,
): Promise<Body | Response | ReadableStream<unknown>> {
  const isPage = body instanceof ReadableStream
  await settle(visit)
  // A page goes on to render, and may wait for the session before its first chunk.
  if (isPage) {
    return beforeFirstChunk(body, async () => {
      await settle(visit)
      visit.isFinished = true
    })
  }
  visit.isFinished = true
  const { caching } = visit
  if (!caching || !(body instanceof Response)) return body
  return changeResponse(body, { setCookies: [], caching })
}

/**
 * Waits for sessions that may be due for renewal, and sets the cache headers again: the page may have set others
 * meanwhile.
 */
async function settle(visit: Visit): Promise<void> {
  await Promise.allSettled(visit.work)
  if (visit.caching) preventCaching(visit, visit.caching)
}

/** Keeps the answer out of caches, unless it was sent. */
export function preventCaching(visit: Visit, caching: ResponseChange['caching']): void {
  if (!hasBegun(visit)) changeHeaders(visit.response.headers, { setCookies: [], caching })
}

export function hasBegun({ isFinished, native }: Visit): boolean {
  return isFinished || native.handled === true
}

/** The headers as sent: h3 leaves empty ones out, and an empty `Host` is not the same as none. */
function headersOf({ request, nativeEvent }: SolidEvent): Headers {
  if (nativeEvent.node?.req.headers?.host !== '') return request.headers
  const headers = new Headers(request.headers)
  headers.set('host', '')
  return headers
}

/**
 * The same with the cookies that the browser sent, and those that were set since. For the page that is rendered for the
 * answer to an action, SolidStart writes a `Cookie` header of its own: it decodes values, and trims names otherwise than
 * browsers do, so that a cookie from a sibling host could become one with the prefix `__Host-`.
 */
function withSentCookies(headers: Headers, { request, response }: Visit): Headers {
  const copy = new Headers(headers)
  const cookies = cookiesAfter(request.headers.get('cookie'), response.headers.getSetCookie())
  if (cookies === '') copy.delete('cookie')
  else copy.set('cookie', cookies)
  return copy
}

function senderIn({ request, clientAddress }: SolidEvent): () => ReturnType<typeof senderOf> {
  return () => senderOf({ peer: clientAddress, headers: request.headers })
}
