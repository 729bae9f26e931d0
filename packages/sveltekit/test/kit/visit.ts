import type { CookieOptions, Handle, RequestEvent } from '@sveltejs/kit'
import { HttpError, Redirect } from './kit.ts'

export interface Visit {
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly body?: URLSearchParams
  readonly isDataRequest?: boolean
  readonly isSubRequest?: boolean
  readonly isRemoteRequest?: boolean
  /** What SvelteKit has matched; the path itself if not said. */
  readonly routeId?: string | null
  /** The page that a call of a remote function names. */
  readonly namedPage?: string
  /** Answers requests that the application makes of itself. */
  readonly fetch?: typeof fetch
}

/** What an application does with a request, as a load function would: its event is a copy. */
export type Page = (event: RequestEvent) => unknown

/** Sends a request through the hooks as SvelteKit's server does, to a page that does something. */
export async function visit(handle: Handle, path: string, page: Page, given: Visit = {}) {
  const { isDataRequest = false, isSubRequest = false, isRemoteRequest = false } = given
  const { routeId = path, namedPage = path, fetch: answerInner, method, headers, body } = given
  const init = { ...(method && { method }), ...(headers && { headers }), ...(body && { body }) }
  const request = new Request(`http://localhost${path}`, init)
  const cookies: string[] = []
  let isAnswered = false
  const event: RequestEvent = {
    request,
    url: new URL(namedPage, request.url),
    locals: {} as App.Locals, // the hook puts on it what there is to be
    cookies: {
      set(name: string, value: string, { encode = encodeURIComponent }: CookieOptions) {
        if (isAnswered) throw new Error('Cannot use `cookies.set(...)` after the response')
        cookies.push(`${name}=${encode(value)}`)
      },
      serialize: (name: string, value: string, { encode = encodeURIComponent }: CookieOptions) =>
        `${name}=${encode(value)}`,
    },
    async fetch(input, init) {
      if (!answerInner) throw new Error(`Nothing answers ${input}`)
      const response = await answerInner(input, init)
      // Not by `cookies.set`.
      cookies.push(...response.headers.getSetCookie())
      return response
    },
    isDataRequest,
    isSubRequest,
    isRemoteRequest,
    platform: undefined,
    route: { id: routeId },
    getClientAddress: () => '203.0.113.1',
  }
  const resolve = async (resolved: RequestEvent) => {
    const response = await answerOf(() => page({ ...resolved }))
    isAnswered = true
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }
  // For a path that it cannot decode, SvelteKit catches nothing.
  if (!canDecode(event.url.pathname)) return handle({ event, resolve })
  return answerOf(() => handle({ event, resolve }), cookies)
}

function canDecode(pathname: string): boolean {
  try {
    return pathname.split('%25').map(decodeURI).length > 0
  } catch {
    return false
  }
}

/** With the cookies of a redirect: SvelteKit's page for errors has none. */
async function answerOf(run: () => unknown, cookies: readonly string[] = []): Promise<Response> {
  try {
    const answer = await run()
    return answer instanceof Response ? answer : Response.json(answer ?? null)
  } catch (thrown) {
    if (thrown instanceof Redirect) {
      const { status, location } = thrown
      const headers = new Headers({ location })
      for (const cookie of cookies) headers.append('set-cookie', cookie)
      return new Response(null, { status, headers })
    }
    if (thrown instanceof HttpError) return new Response('An error page', { status: thrown.status })
    throw thrown
  }
}
