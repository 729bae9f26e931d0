import { type FrameworkAdapter, type SentRequest, toResponse } from '@siteauth/core/integration'
import { PRIVATE } from '@siteauth/core/internal'
import { isCachedPage } from './is-cached-page.ts'
import { asForm, asWholeUrl, isFunctionCall, pathOf, sentTarget } from './server-function.ts'
import type { ResponseParts, SolidEvent } from './solid-event.ts'
import { changeIn, during, finish, hasBegun, preventCaching, sentIn, type Visit } from './visit.ts'

/** SolidStart as the library sees it. */
export interface StartFrameworkAdapter extends FrameworkAdapter<SolidEvent, Response> {
  /** Notes that the middleware has seen a request, and will see its response. */
  expect(event: SolidEvent): void
  /** The request as it was sent, for the endpoints: none of them is a server function, whatever its path and headers. */
  sent(event: SolidEvent): SentRequest
  /** Has the answer wait for something that was begun before it. */
  during<Result>(event: SolidEvent, work: () => Promise<Result>): Promise<Result>
  /** The answer of the application, once what was begun is done: no cache keeps it that must not. */
  finish<Body>(event: SolidEvent, body: Body): Promise<Body | Response | ReadableStream<unknown>>
  /** What goes with the answer, also where the router has put something else in its place. */
  responseOf(event: SolidEvent): ResponseParts
  /** Whether the response is cached for everybody. */
  isCached(event: SolidEvent): boolean
}

export function createFrameworkAdapter(): StartFrameworkAdapter {
  // Events are copied where pages are rendered for the answer to an action.
  const visits = new WeakMap<object, Visit>()

  function visitOf({ nativeEvent }: SolidEvent): Visit {
    const visit = visits.get(nativeEvent)
    if (!visit) throw new TypeError(NOT_MOUNTED)
    return visit
  }

  const sent = (event: SolidEvent) => sentIn(visitOf(event), event)

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
    change: (event, change) => changeIn(visitOf(event), change),
    respond(event, data) {
      const { request } = event
      // Rules for all paths may have let some caches store it.
      if (data.headers['Cache-Control'] === PRIVATE) preventCaching(visitOf(event), 'never')
      const response = toResponse(data)
      const location = response.headers.get('location')
      if (location !== null && isFunctionCall(event)) {
        response.headers.set('location', asWholeUrl(location, request))
      }
      return response
    },
    expect(event) {
      const { nativeEvent: native, request, response } = event
      if (visits.has(native)) return
      const isCached = isCachedPage(event)
      visits.set(native, {
        request,
        response,
        work: new Set(),
        isCached,
        isFinished: false,
        native,
      })
    },
    during: (event, run) => during(visitOf(event), run),
    finish: async (event, body) => finish(visitOf(event), body),
    responseOf: event => visitOf(event).response,
    isCached: event => visitOf(event).isCached,
  }
}

/** The path as sent, if it is a page's or an API route's. */
function sentPath(event: SolidEvent): string | undefined {
  const target = sentTarget(event.nativeEvent)
  return target === undefined || isFunctionCall(event) ? undefined : pathOf(target)
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so a cache could keep what it must not. Export ' +
  '`createMiddleware(auth.middleware)` from src/middleware.ts, and name that file as `middleware` in app.config.ts.'
