import { type FrameworkAdapter, type SentRequest, toResponse } from '@siteauth/core/integration'
import { senderOf } from '@siteauth/core/internal'
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { building } from '$app/environment'
import { env } from '$env/dynamic/private'
import { drainIfCancelled } from './drain-if-cancelled.ts'
import { createInnerCookies } from './inner-cookies.ts'
import { isFromRouter } from './is-from-router.ts'
import { readSetCookie } from './read-set-cookie.ts'
import { catchErrors, type Denial, respondAfter } from './respond-after.ts'
import { createResponseChanges } from './response-changes.ts'

/** SvelteKit as the library sees it. */
export interface KitFrameworkAdapter extends FrameworkAdapter<RequestEvent, Response, never> {
  /** The request, for the endpoints, which read its body. */
  requestWithBody(event: RequestEvent): SentRequest
  /** The event with the URL that was asked for: that of a call of a remote function is of a page that its caller names. */
  asSent(event: RequestEvent): RequestEvent
  /** Answers an error by itself if SvelteKit would not catch it. */
  catchErrors(event: RequestEvent, respond: () => Promise<Response>): Promise<Response>
  /** Lets the rest of the application answer, and makes to the answer what changes have come up meanwhile. */
  respondAfter(event: RequestEvent, resolve: () => Response | Promise<Response>): Promise<Response>
  /**
   * The event that `handle` was given. Those of load functions are copies, and note what is read of them: it
   * would decide when SvelteKit runs the function again.
   */
  outermost(event: RequestEvent): RequestEvent
  /** Answers a program that a guard turns away, in place of the page for people that SvelteKit makes of `thrown`. */
  deny(event: RequestEvent, denial: Denial): void
}

export function createFrameworkAdapter(): KitFrameworkAdapter {
  const changes = createResponseChanges()
  const inner = createInnerCookies()
  const events = new WeakMap<Request, RequestEvent>()
  const denials = new WeakMap<Request, Denial>()
  const begun = new WeakSet<Request>()
  const context = { changes, inner, denialOf: (request: Request) => denials.get(request) }

  return {
    request: event => requestOf(event, inner.restore(event.request)),
    requestWithBody: event => ({
      ...requestOf(event, inner.restore(event.request)),
      body: drainIfCancelled(event.request.body),
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
    respond(event, response) {
      changes.notePassedOn(event, response.setCookies)
      return toResponse(response)
    },
    change(event, { setCookies, caching }) {
      changes.notePassedOn(event, setCookies)
      const late = setCookies.filter(line => !setCookie(event, line))
      changes.add(event.request, { setCookies: late, caching })
    },
    catchErrors,
    respondAfter(event, resolve) {
      events.set(event.request, event)
      return respondAfter(context, event, resolve).finally(() => begun.add(event.request))
    },
    outermost({ request }) {
      const event = events.get(request)
      if (event) return event
      throw new Error(
        'SiteAuth does not know this request. Export its handle from src/hooks.server.ts, before your own: ' +
          'export const handle = sequence(auth.handle, yours).',
      )
    },
    deny({ request }, denial) {
      denials.set(request, denial)
    },
  }
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
  if (!isFromRouter(event)) return { ...sent, headers }
  // It asks on behalf of somebody who opens a page or sends a form.
  const asOfPage = new Headers(headers)
  asOfPage.set('accept', 'text/html')
  return { ...sent, headers: asOfPage }
}

/**
 * Whether SvelteKit runs a remote function. The route is then that of a page which the caller names: by a header, or, if a
 * form is sent without a script, by sending it there.
 */
function isRemoteCall({ isRemoteRequest, url }: RequestEvent): boolean {
  return isRemoteRequest === true || url.searchParams.has('/remote')
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
