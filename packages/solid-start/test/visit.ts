import type { SolidAuthResult, SolidEvent } from '@siteauth/solid-start'
import { provideRequestEvent } from 'solid-js/web/storage'

interface Sent extends Pick<RequestInit, 'method' | 'headers'> {
  /** As `server.baseURL` in app.config.ts. */
  readonly base?: string
}

/** An event as SolidStart makes one for a request. */
export function eventOf(
  target: string,
  { method = 'GET', headers = {}, base = '' }: Sent = {},
): SolidEvent {
  const url = new URL(target.replace(/^[/\\]+/, '/'), 'http://localhost')
  return {
    request: new Request(url, { method, headers }),
    response: { headers: new Headers() },
    clientAddress: '203.0.113.1',
    nativeEvent: { node: { req: dispatched(target, base) } },
  }
}

/** What h3 makes of a target: it measures the mount in the decoded path, and cuts as much off the encoded one. */
function dispatched(target: string, base: string): { originalUrl: string; url: string } {
  const [path = ''] = target.split('?', 1)
  const { length } =
    [`${base}/_server`, `${base}/`].find(each => decoded(path).startsWith(each)) ?? ''
  return { originalUrl: target, url: target.slice(length > 1 ? length : 0) || '/' }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Runs something as SolidStart runs server functions and API routes. */
export function runIn<Result>(event: SolidEvent, run: () => Result): Result {
  return provideRequestEvent(event as never, run) // the types of SolidStart are not installed here
}

interface Visited {
  readonly page?: () => unknown
  readonly own?: Parameters<SolidAuthResult['middlewareWith']>[0]
}

/**
 * Sends a request through the middleware, to a page that does something. What the server would send: h3 puts
 * the headers of the event on every answer, below those of a response.
 */
export async function visit(
  auth: Pick<SolidAuthResult, 'middlewareWith'>,
  event: SolidEvent,
  { page = () => 'page', own = {} }: Visited = {},
): Promise<Response> {
  const { onRequest, onBeforeResponse } = auth.middlewareWith(own)
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
