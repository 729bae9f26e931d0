import type { SentRequest } from '@siteauth/core/endpoints'
import {
  type AnswerChange,
  changeHeaders,
  changeResponse,
  type Host,
  senderOf,
  toResponse,
} from '@siteauth/core/integration'
import { beforeFirstChunk } from './before-first-chunk.ts'
import { asForm, asWholeUrl, isFunctionCall } from './server-function.ts'
import type { ResponseParts, SolidEvent } from './solid-event.ts'

/** SolidStart as the library sees it. */
export interface StartHost extends Host<SolidEvent, Response> {
  /** Says that the middleware has seen a request, and will see the answer to it. */
  expect(event: SolidEvent): void
  /** Has the answer wait for something that was begun before it. */
  during<Result>(event: SolidEvent, work: () => Promise<Result>): Promise<Result>
  /** The answer of the application, once what was begun is done: no cache keeps it that must not. */
  finish<Body>(event: SolidEvent, body: Body): Promise<Body | Response | ReadableStream<unknown>>
  /** What goes with the answer, also where the router has put something else in its place. */
  partsOf(event: SolidEvent): ResponseParts
}

/** What is known of a request while it lasts. */
interface Visit {
  readonly response: ResponseParts
  /** What the answer waits for. */
  readonly work: Set<Promise<unknown>>
  /** Who may keep the answer, if anything was said. */
  caching?: AnswerChange['caching']
  hasBegun: boolean
}

export function createHost(): StartHost {
  // Events are copied where pages are rendered for the answer to an action.
  const visits = new WeakMap<object, Visit>()

  function visitOf({ nativeEvent }: SolidEvent): Visit {
    const visit = visits.get(nativeEvent)
    if (!visit) throw new TypeError(NOT_MOUNTED)
    return visit
  }

  return {
    request(event) {
      visitOf(event)
      return requestOf(event)
    },
    // Not the native event: such copies have a request with the cookies that were set just now.
    key: ({ request }) => request,
    hasBegun: event => visitOf(event).hasBegun,
    change(event, change) {
      const visit = visitOf(event)
      if (visit.caching !== 'never') visit.caching = change.caching
      // At once: SolidStart keeps these headers whatever is thrown later, and renders with these cookies.
      if (!visit.hasBegun) changeHeaders(visit.response.headers, change)
    },
    answer({ request }, answer) {
      const response = toResponse(answer)
      const location = response.headers.get('location')
      if (location !== null && isFunctionCall(request)) {
        response.headers.set('location', asWholeUrl(location, request))
      }
      return response
    },
    expect({ nativeEvent, response }) {
      if (!visits.has(nativeEvent)) {
        visits.set(nativeEvent, { response, work: new Set(), hasBegun: false })
      }
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
          visit.hasBegun = true
        })
      }
      visit.hasBegun = true
      const { caching } = visit
      if (!caching || !(body instanceof Response)) return body
      return changeResponse(body, { setCookies: [], caching })
    },
    partsOf: event => visitOf(event).response,
  }
}

/** Waits for sessions that may be due for renewal, and says once more what caches may do: the page has spoken since. */
async function settle(visit: Visit): Promise<void> {
  await Promise.allSettled(visit.work)
  const { caching, response } = visit
  if (caching) changeHeaders(response.headers, { setCookies: [], caching })
}

function requestOf({ request, clientAddress }: SolidEvent): SentRequest {
  const { method, url, headers, body, bodyUsed } = request
  const sender = () => senderOf({ peer: clientAddress, headers })
  if (isFunctionCall(request)) return { ...asForm(request), sender }
  return { method, url, headers, body, bodyUsed, sender }
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so a cache could keep what it must not. Export ' +
  '`createMiddleware(auth.middleware())` from src/middleware.ts, and name that file as `middleware` in app.config.ts.'
