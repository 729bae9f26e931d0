import {
  type AnswerChange,
  changeHeaders,
  changeResponse,
  type FrameworkAdapter,
  type SentRequest,
  toResponse,
} from '@siteauth/core/integration'
import { cookiesAfter, PRIVATE, senderOf } from '@siteauth/core/internal'
import { beforeFirstChunk } from './before-first-chunk.ts'
import { isKeptForEverybody } from './kept-for-everybody.ts'
import { asForm, asWholeUrl, isFunctionCall, pathOf, sentTarget } from './server-function.ts'
import type { NativeEvent, ResponseParts, SolidEvent } from './solid-event.ts'

/** SolidStart as the library sees it. */
export interface StartHost extends FrameworkAdapter<SolidEvent, Response> {
  /** Says that the middleware has seen a request, and will see the answer to it. */
  expect(event: SolidEvent): void
  /** The request as it was sent, for the endpoints: none of them is a server function, whatever its path and headers. */
  sent(event: SolidEvent): SentRequest
  /** Has the answer wait for something that was begun before it. */
  during<Result>(event: SolidEvent, work: () => Promise<Result>): Promise<Result>
  /** The answer of the application, once what was begun is done: no cache keeps it that must not. */
  finish<Body>(event: SolidEvent, body: Body): Promise<Body | Response | ReadableStream<unknown>>
  /** What goes with the answer, also where the router has put something else in its place. */
  partsOf(event: SolidEvent): ResponseParts
  /** Whether the answer is kept and given to everybody. */
  isKept(event: SolidEvent): boolean
}

/** What is known of a request while it lasts. */
interface Visit {
  /** The request that arrived: events have others while SolidStart renders pages for the answer to an action. */
  readonly request: Request
  readonly response: ResponseParts
  /** What the answer waits for. */
  readonly work: Set<Promise<unknown>>
  /** Who may keep the answer, if anything was said. */
  caching?: AnswerChange['caching']
  /** Not so of the page that is rendered for the answer to an action, though its request says otherwise. */
  readonly isKept: boolean
  /** Whether all that could be changed was changed. */
  isFinished: boolean
  /** SolidStart may have sent a redirect already, before we see it. */
  readonly native: NativeEvent
}

export function createHost(): StartHost {
  // Events are copied where pages are rendered for the answer to an action.
  const visits = new WeakMap<object, Visit>()

  function visitOf({ nativeEvent }: SolidEvent): Visit {
    const visit = visits.get(nativeEvent)
    if (!visit) throw new TypeError(NOT_MOUNTED)
    return visit
  }

  function sent(event: SolidEvent): SentRequest {
    const { method, url, body, bodyUsed } = event.request
    const visit = visitOf(event)
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

  return {
    request(event) {
      const request = sent(event)
      return isFunctionCall(event) ? asForm(request) : request
    },
    sent,
    except: { names: 'paths', nameOf: sentPath },
    // Not the native event: such copies have a request with the cookies that were set just now.
    key: ({ request }) => request,
    hasBegun: event => hasBegun(visitOf(event)),
    change(event, change) {
      const visit = visitOf(event)
      const { headers } = visit.response
      const isFirst = visit.caching === undefined
      if (visit.caching !== 'never') visit.caching = change.caching
      if (hasBegun(visit)) return
      // What was said before this was meant for all pages. What the page says after it counts.
      if (isFirst) headers.delete('cache-control')
      // At once: SolidStart keeps these headers whatever is thrown later, and renders with these cookies.
      changeHeaders(headers, change)
    },
    answer(event, answer) {
      const { request } = event
      // Rules for all paths may have told some caches to keep it.
      if (answer.headers['Cache-Control'] === PRIVATE) keepOut(visitOf(event), 'never')
      const response = toResponse(answer)
      const location = response.headers.get('location')
      if (location !== null && isFunctionCall(event)) {
        response.headers.set('location', asWholeUrl(location, request))
      }
      return response
    },
    expect(event) {
      const { nativeEvent: native, request, response } = event
      if (visits.has(native)) return
      const isKept = isKeptForEverybody(event)
      visits.set(native, { request, response, work: new Set(), isKept, isFinished: false, native })
    },
    async during(event, run) {
      const { work } = visitOf(event)
      const running = run()
      work.add(running)
      try {
        return await running
      } finally {
        work.delete(running)
      }
    },
    async finish(event, body) {
      const visit = visitOf(event)
      const isPage = body instanceof ReadableStream
      await settle(visit)
      // A page goes on to render, and may wait with its first word for whoever is signed in.
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
    },
    partsOf: event => visitOf(event).response,
    isKept: event => visitOf(event).isKept,
  }
}

/** Waits for sessions that may be due for renewal, and says once more what caches may do: the page has spoken since. */
async function settle(visit: Visit): Promise<void> {
  await Promise.allSettled(visit.work)
  if (visit.caching) keepOut(visit, visit.caching)
}

/** Keeps the answer out of caches, unless it was sent. */
function keepOut(visit: Visit, caching: AnswerChange['caching']): void {
  if (!hasBegun(visit)) changeHeaders(visit.response.headers, { setCookies: [], caching })
}

function hasBegun({ isFinished, native }: Visit): boolean {
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

/** The path as sent, if it is a page's or an API route's. */
function sentPath(event: SolidEvent): string | undefined {
  const target = sentTarget(event.nativeEvent)
  return target === undefined || isFunctionCall(event) ? undefined : pathOf(target)
}

function senderIn({ request, clientAddress }: SolidEvent): () => ReturnType<typeof senderOf> {
  return () => senderOf({ peer: clientAddress, headers: request.headers })
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so a cache could keep what it must not. Export ' +
  '`createMiddleware(auth.middleware)` from src/middleware.ts, and name that file as `middleware` in app.config.ts.'
