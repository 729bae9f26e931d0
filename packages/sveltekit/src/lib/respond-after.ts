import { changeResponse } from '@siteauth/core/integration'
import { isHttpError, isRedirect, type RequestEvent } from '@sveltejs/kit'
import type { InnerCookies } from './inner-cookies.ts'
import { isFromRouter } from './is-from-router.ts'
import { noteCookies } from './note-cookies.ts'
import type { ResponseChanges } from './response-changes.ts'

/** What a guard has decided, and what it throws so that nothing else is done. */
export interface Denial {
  readonly response: Response
  readonly thrown: unknown
}

/** What the response of the rest of the application depends on. */
interface ResponseContext {
  readonly changes: ResponseChanges
  readonly inner: InnerCookies
  /** The decision of a guard, if it has denied a request. */
  readonly denialOf: (request: Request) => Denial | undefined
}

/** Lets the rest of the application answer, and makes the changes that were added meanwhile to its response. */
export async function respondAfter(
  context: ResponseContext,
  event: RequestEvent,
  resolve: () => Response | Promise<Response>,
): Promise<Response> {
  const cookiesSoFar = noteCookies(event, context.inner)
  try {
    return answered(context, event, await resolve())
  } catch (thrown) {
    return failed(context, event, thrown, cookiesSoFar())
  }
}

function answered(
  context: ResponseContext,
  { request }: RequestEvent,
  response: Response,
): Response {
  const denied = context.denialOf(request)?.response
  const isDenied = denied?.status === response.status && isForProgram(denied)
  const given = isDenied ? denied : response
  const change = context.changes.takeFor(request, given.headers.getSetCookie())
  return change ? changeResponse(given, change) : given
}

/** The response to what another hook threw. SvelteKit would ignore our headers. */
function failed(
  context: ResponseContext,
  event: RequestEvent,
  thrown: unknown,
  soFar: readonly string[],
): Response {
  const { request } = event
  const denial = context.denialOf(request)
  const found = denial?.thrown === thrown ? denial?.response : asResponse(thrown)
  const change = context.changes.takeFor(request, soFar)
  if (!isCaught(event)) {
    const response = found ? inFormatOf(event, found) : unexpectedError(thrown)
    return change ? changeResponse(response, change) : response
  }
  if (!found || !change || isFromRouter(event) || event.isRemoteRequest) throw thrown
  const setCookies = [...soFar, ...change.setCookies]
  return changeResponse(found, { ...change, setCookies })
}

/** Returns the response to an error if SvelteKit would not catch it. */
export async function catchErrors(
  event: RequestEvent,
  respond: () => Promise<Response>,
): Promise<Response> {
  try {
    return await respond()
  } catch (thrown) {
    if (isCaught(event)) throw thrown
    return unexpectedError(thrown)
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
  if (!location || !isFromRouter(event)) return response
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

function isForProgram({ headers }: Response): boolean {
  return /json/.test(headers.get('content-type') ?? '')
}
