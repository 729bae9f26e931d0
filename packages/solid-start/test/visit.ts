import type { OwnMiddleware, SolidAuthResult, SolidEvent } from '@siteauth/solid-start'
import { provideRequestEvent } from 'solid-js/web/storage'

/** An event as SolidStart makes one for a request. */
export function eventOf(
  path: string,
  { method = 'GET', headers = {} }: Pick<RequestInit, 'method' | 'headers'> = {},
): SolidEvent {
  return {
    request: new Request(`http://localhost${path}`, { method, headers }),
    response: { headers: new Headers() },
    clientAddress: '203.0.113.1',
    nativeEvent: {},
  }
}

/** Runs something as SolidStart runs server functions and API routes. */
export function runIn<Result>(event: SolidEvent, run: () => Result): Result {
  return provideRequestEvent(event as never, run) // the types of SolidStart are not installed here
}

interface Visited {
  readonly page?: () => unknown
  readonly own?: OwnMiddleware
}

/**
 * Sends a request through the middleware, to a page that does something. What the server would send: h3 puts
 * the headers of the event on every answer, below those of a response.
 */
export async function visit(
  auth: Pick<SolidAuthResult, 'middleware'>,
  event: SolidEvent,
  { page = () => 'page', own = {} }: Visited = {},
): Promise<Response> {
  const { onRequest, onBeforeResponse } = auth.middleware(own)
  const { response } = event
  const early = await onRequest(event)
  if (early) return sent(response, early)
  const answered = { body: await runIn(event, page) }
  await onBeforeResponse(event, answered)
  return sent(response, answered.body)
}

function sent({ headers, status = 200 }: SolidEvent['response'], body: unknown): Response {
  if (!(body instanceof Response)) return new Response(body as BodyInit, { status, headers })
  const all = new Headers(headers)
  for (const [name, value] of body.headers) {
    if (name === 'set-cookie') all.append(name, value)
    else all.set(name, value)
  }
  return new Response(body.body, { status: body.status, headers: all })
}
