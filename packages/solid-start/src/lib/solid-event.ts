import type { RequireSessionMiddlewareOptions } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'

// What is used of SolidStart's types. The application in conformance/solid-start is compiled against the real ones.

/** What middleware and API routes are given, and what `getRequestEvent` returns. */
export interface SolidEvent {
  readonly request: Request
  /** What goes with the answer, whoever gives it. The router replaces it where it redirects. */
  readonly response: ResponseParts
  readonly clientAddress?: string | undefined
  /** The same object for as long as a request lasts, also where the event is copied. */
  readonly nativeEvent: NativeEvent
}

/** The event of h3 below. */
export interface NativeEvent {
  readonly handled?: boolean | undefined
  readonly node?: { readonly req: SentTarget } | undefined
}

/** A request as it arrived, before anything was cut off its path. */
interface SentTarget {
  readonly url?: string | undefined
  readonly originalUrl?: string | undefined
  readonly headers?: { readonly host?: string | undefined } | undefined
}

/** The status and headers of an answer that is still to come. */
export interface ResponseParts {
  status?: number | undefined
  readonly headers: Headers
}

/** What an application answers, as the last of the middleware sees it. */
interface Answered {
  body?: unknown
}

/** Middleware that sees requests: it may answer them. */
type OnRequest<Event extends SolidEvent = SolidEvent> = (
  event: Event,
  // biome-ignore lint/suspicious/noConfusingVoidType: it is what SolidStart says of functions that return nothing
) => void | Response | Promise<void | Response>

/** Middleware that sees answers: it may replace them. */
type OnBeforeResponse<Event extends SolidEvent = SolidEvent> = (
  event: Event,
  answered: Answered,
  // biome-ignore lint/suspicious/noConfusingVoidType: as above
) => void | Response | Promise<void | Response>

/** Middleware of an application's own, one or several of each kind. */
export interface OwnMiddleware<Event extends SolidEvent = SolidEvent> {
  readonly onRequest?: OnRequest<Event> | readonly OnRequest<Event>[] | undefined
  readonly onBeforeResponse?:
    | OnBeforeResponse<Event>
    | readonly OnBeforeResponse<Event>[]
    | undefined
}

/** Middleware of an application's own, and a guard in front of it. */
export interface MiddlewareOptions<Event extends SolidEvent = SolidEvent, Sess = Session>
  extends OwnMiddleware<Event> {
  /**
   * Lets requests through if a user is signed in, before any other middleware runs: pages, API routes and server
   * functions. `except` names the paths that it exempts, as they are sent; pass an empty list if there are none.
   */
  readonly requireSession?:
    | (RequireSessionMiddlewareOptions<Sess> & { readonly except: readonly string[] })
    | undefined
}

/** What `createMiddleware` takes. */
export interface MadeMiddleware<Event extends SolidEvent = SolidEvent> {
  // biome-ignore lint/suspicious/noConfusingVoidType: as above
  readonly onRequest: (event: Event) => Promise<void | Response>
  readonly onBeforeResponse: (event: Event, answered: Answered) => Promise<void>
}
