import type { RequestEvent } from '@sveltejs/kit'
import { hostCookies } from './host-cookies.ts'
import { readSetCookie } from './read-set-cookie.ts'

/**
 * Takes note of the cookies that are set from now on, ours and the application's. SvelteKit puts them on answers of its
 * own, and has no list of them for whoever answers in its place.
 */
export function noteCookies(
  event: Pick<RequestEvent, 'cookies' | 'fetch' | 'request' | 'url'>,
): () => readonly string[] {
  const { cookies, fetch, request, url } = event
  const noted = new Map<string, () => string>()
  const names = new Set<string>()
  const note = (name: string, { domain = '', path }: Place, line: () => string) => {
    noted.set(`${name};${domain};${path}`, line)
    names.add(name)
  }
  const { set } = cookies
  cookies.set = (...given) => {
    set.apply(cookies, given)
    note(given[0], given[2], () => cookies.serialize(...given))
  }
  // SvelteKit passes on what its own site sets for requests that the application makes of itself.
  event.fetch = async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input, url)
    if (asked.origin !== url.origin) return fetch(input, init)
    const own = hostCookies(request.headers.get('cookie'), name => names.has(name))
    const response = await fetch(input, own === '' ? init : withCookies(input, init, own))
    for (const line of response.headers.getSetCookie()) {
      const { name, options } = readSetCookie(line)
      note(name, options, () => line)
    }
    return response
  }
  return () => [...noted.values()].map(line => line())
}

/** A request with cookies beside those that SvelteKit adds. What the application sends itself comes first. */
function withCookies(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  cookies: string,
): RequestInit | undefined {
  const request = input instanceof Request ? input : undefined
  if ((init?.credentials ?? request?.credentials) === 'omit') return init
  const headers = new Headers(init?.headers ?? request?.headers)
  const sent = headers.get('cookie')
  headers.set('cookie', sent ? `${sent}; ${cookies}` : cookies)
  return { ...init, headers }
}

interface Place {
  readonly domain?: string | undefined
  readonly path: string
}
