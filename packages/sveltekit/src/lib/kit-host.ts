import {
  type AnswerChange,
  changeResponse,
  type FrameworkAdapter,
  pendingChanges,
  type SentRequest,
  toResponse,
} from '@siteauth/core/integration'
import { senderOf } from '@siteauth/core/internal'
import { isHttpError, isRedirect, type RequestEvent, redirect } from '@sveltejs/kit'
import { building } from '$app/environment'
import { env } from '$env/dynamic/private'
import { createInnerCookies } from './inner-cookies.ts'
import { noteCookies } from './note-cookies.ts'
import { readSetCookie } from './read-set-cookie.ts'
import { readableToTheEnd } from './readable-to-the-end.ts'

/** SvelteKit as the library sees it. */
export interface KitHost extends FrameworkAdapter<RequestEvent, Response, never> {
  /** The request, for the endpoints, which read its body. */
  requestWithBody(event: RequestEvent): SentRequest
  /** The event with the URL that was asked for: that of a call of a remote function is of a page that its caller names. */
  asSent(event: RequestEvent): RequestEvent
  /** Answers an error by itself if SvelteKit would not catch it. */
  answerErrors(event: RequestEvent, answer: () => Promise<Response>): Promise<Response>
  /** Lets the rest of the application answer, and makes to the answer what changes have come up meanwhile. */
  answerAfter(event: RequestEvent, resolve: () => Response | Promise<Response>): Promise<Response>
  /**
   * The event that `handle` was given. Those of load functions are copies, and note what is read of them: it
   * would decide when SvelteKit runs the function again.
   */
  outermost(event: RequestEvent): RequestEvent
  /** Answers a program that a guard turns away, in place of the page for people that SvelteKit makes of `thrown`. */
  refuse(event: RequestEvent, refusal: Refusal): void
}

/** What a guard has decided, and what it throws so that nothing else is done. */
interface Refusal {
  readonly answer: Response
  readonly thrown: unknown
}

export function createHost(): KitHost {
  const changes = pendingChanges<Request>()
  const events = new WeakMap<Request, RequestEvent>()
  const refusals = new WeakMap<Request, Refusal>()
  const begun = new WeakSet<Request>()
  const inner = createInnerCookies()
  // Names of cookies that were set for requests which the application made of itself.
  const passedOn = new Set<string>()

  /** Takes note of cookies that SvelteKit passes on to the page: it does not pass on what caches are told. */
  function notePassedOn({ isSubRequest }: RequestEvent, setCookies: readonly string[]): void {
    if (isSubRequest) for (const line of setCookies) passedOn.add(nameIn(line))
  }

  /** Has no cache keep an answer with such a cookie. */
  function changeFor(request: Request, setCookies: readonly string[]): AnswerChange | undefined {
    const isAboutOne = setCookies.some(line => passedOn.has(nameIn(line)))
    if (isAboutOne) changes.add(request, { setCookies: [], caching: 'never' })
    return changes.take(request)
  }

  return {
    request: event => requestOf(event, inner.restore(event.request)),
    requestWithBody: event => ({
      ...requestOf(event, inner.restore(event.request)),
      body: readableToTheEnd(event.request.body),
    }),
    asSent: event =>
      event.isRemoteRequest ? { ...event, url: new URL(event.request.url) } : event,
    except: {
      names: 'routes',
      nameOf: event => (isRemoteCall(event) ? undefined : (event.route.id ?? undefined)),
    },
    // SvelteKit does not let them be read while it builds.
    env: () => (building ? {} : env),
    key: ({ request }) => request,
    hasBegun: ({ request }) => begun.has(request),
    redirect: (_event, url) => redirect(303, url),
    answer(event, answer) {
      notePassedOn(event, answer.setCookies)
      return toResponse(answer)
    },
    change(event, { setCookies, caching }) {
      notePassedOn(event, setCookies)
      const late = setCookies.filter(line => !setCookie(event, line))
      changes.add(event.request, { setCookies: late, caching })
    },
    async answerErrors(event, answer) {
      try {
        return await answer()
      } catch (thrown) {
        if (isCaught(event)) throw thrown
        return unexpectedError(thrown)
      }
    },
    async answerAfter(event, resolve) {
      const { request } = event
      events.set(request, event)
      const cookiesSoFar = noteCookies(event, inner)
      try {
        const response = await resolve()
        const answer = refusals.get(request)?.answer
        const isRefused = answer?.status === response.status && isForProgram(answer)
        const given = isRefused ? answer : response
        const change = changeFor(request, given.headers.getSetCookie())
        return change ? changeResponse(given, change) : given
      } catch (thrown) {
        // From another hook, where SvelteKit would know nothing of headers.
        const refusal = refusals.get(request)
        const answer = refusal?.thrown === thrown ? refusal?.answer : asResponse(thrown)
        const soFar = cookiesSoFar()
        const change = changeFor(request, soFar)
        if (!isCaught(event)) {
          const response = answer ? inFormatOf(event, answer) : unexpectedError(thrown)
          return change ? changeResponse(response, change) : response
        }
        if (!answer || !change || isOfRouter(event) || event.isRemoteRequest) throw thrown
        const setCookies = [...soFar, ...change.setCookies]
        return changeResponse(answer, { ...change, setCookies })
      } finally {
        begun.add(request)
      }
    },
    outermost({ request }) {
      const event = events.get(request)
      if (event) return event
      throw new Error(
        'SiteAuth does not know this request. Export its handle from src/hooks.server.ts, before your own: ' +
          'export const handle = sequence(auth.handle, yours).',
      )
    },
    refuse({ request }, refusal) {
      refusals.set(request, refusal)
    },
  }
}

/**
 * Whether SvelteKit catches what hooks throw. It does not if it cannot decode the path, which `reroute` may have replaced: nothing
 * then answers the request, and Node ends the process. There is no route then.
 */
function isCaught({ route }: RequestEvent): boolean {
  return route.id !== null
}

/** A response as the sender of a request understands it. SvelteKit's own script knows redirects in its own format only. */
function inFormatOf(event: RequestEvent, response: Response): Response {
  const location = response.headers.get('location')
  if (!location || !isOfRouter(event)) return response
  return Response.json({ type: 'redirect', status: 303, location })
}

/** The response to an error that nobody catches, which is logged. */
function unexpectedError(thrown: unknown): Response {
  if (isHttpError(thrown)) return new Response(thrown.body.message, { status: thrown.status })
  console.error(thrown)
  return new Response('Internal Server Error', { status: 500 })
}

/** The response to an application's own redirect, or error if SvelteKit has no page for it. */
function asResponse(thrown: unknown): Response | undefined {
  if (!isRedirect(thrown)) return undefined
  const { status, location } = thrown
  return new Response(null, { status, headers: { location } })
}

function nameIn(setCookieLine: string): string {
  return setCookieLine.slice(0, setCookieLine.indexOf('='))
}

/** Whether SvelteKit takes a cookie: also requests that a load function makes then have it. */
function setCookie({ cookies }: RequestEvent, line: string): boolean {
  const { name, value, options } = readSetCookie(line)
  try {
    cookies.set(name, value, options)
    return true
  } catch {
    // It takes none once there is a response, which other hooks may be at work on.
    return false
  }
}

function requestOf(event: RequestEvent, headers: Headers): SentRequest {
  const { method, body, bodyUsed } = event.request
  const sent = { method, url: event.url.href, body, bodyUsed, sender: () => senderBy(event) }
  if (!isOfRouter(event)) return { ...sent, headers }
  // It asks on behalf of somebody who opens a page or sends a form.
  const asOfPage = new Headers(headers)
  asOfPage.set('accept', 'text/html')
  return { ...sent, headers: asOfPage }
}

/** Whether SvelteKit's own script asks, which knows redirects and errors in its own format only. */
function isOfRouter({ isDataRequest, request }: RequestEvent): boolean {
  return isDataRequest || request.headers.has('x-sveltekit-action')
}

/**
 * Whether SvelteKit runs a remote function. The route is then that of a page which the caller names: by a header, or, if a
 * form is sent without a script, by sending it there.
 */
function isRemoteCall({ isRemoteRequest, url }: RequestEvent): boolean {
  return isRemoteRequest === true || url.searchParams.has('/remote')
}

function isForProgram({ headers }: Response): boolean {
  return /json/.test(headers.get('content-type') ?? '')
}

function senderBy({ request, getClientAddress }: RequestEvent): ReturnType<typeof senderOf> {
  const { headers } = request
  try {
    return senderOf({ peer: getClientAddress(), headers })
  } catch {
    // Some platforms do not know.
    return senderOf({ peer: undefined, headers })
  }
}
