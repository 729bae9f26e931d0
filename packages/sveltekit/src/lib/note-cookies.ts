import type { RequestEvent } from '@sveltejs/kit'
import { hostCookies } from './host-cookies.ts'
import { type InnerCookies, isReadOtherwise, nameByKit } from './inner-cookies.ts'
import { readSetCookie } from './read-set-cookie.ts'

/**
 * Takes note of the cookies that are set from now on, ours and the application's. SvelteKit puts them on answers of its
 * own, and has no list of them for whoever answers in its place.
 */
export function noteCookies(
  event: Pick<RequestEvent, 'cookies' | 'fetch' | 'request' | 'url'>,
  inner: InnerCookies,
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
  // SvelteKit passes on the cookies that its own site sets for requests that the application makes of itself.
  const noting = (requested: URL, response: Response): Response => {
    if (requested.origin !== url.origin) return response
    for (const line of response.headers.getSetCookie()) {
      const { name, options } = readSetCookie(line)
      note(name, options, () => line)
    }
    return response
  }
  event.fetch = async (input, init) => {
    const requested = new URL(input instanceof Request ? input.url : input, url)
    const sent = inner.restore(request).get('cookie') ?? ''
    if (!takesCookies(requested, url) || sendsNone(input, init) || !isReadOtherwise(sent)) {
      return noting(requested, await fetch(input, init))
    }
    const own = headersOf(input, init)
    const explicit = own.get('cookie') ?? ''
    const replaced = new Set([...names, ...explicit.split(';').map(nameByKit)])
    const isReplaced = (name: string) => replaced.has(name)
    const announced = requested.origin === url.origin ? inner.announce(sent, isReplaced) : undefined
    if (announced) own.set(...announced.header)
    const hosts = hostCookies(sent, isReplaced)
    // The first of one name counts.
    if (hosts !== '') own.set('cookie', explicit === '' ? hosts : `${explicit}; ${hosts}`)
    try {
      return noting(requested, await fetch(...withHeaders(input, init, own)))
    } finally {
      announced?.forget()
    }
  }
  return () => [...noted.values()].map(line => line())
}

/** Whether SvelteKit adds the cookies of the browser: for the same host and those below it, on any port. */
function takesCookies(requested: URL, own: URL): boolean {
  return `.${requested.hostname}`.endsWith(`.${own.hostname}`)
}

// SvelteKit ignores the second argument if the first is a request.

function sendsNone(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  return (input instanceof Request ? input.credentials : init?.credentials) === 'omit'
}

function headersOf(input: RequestInfo | URL, init: RequestInit | undefined): Headers {
  return new Headers(input instanceof Request ? input.headers : init?.headers)
}

function withHeaders(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  headers: Headers,
): Parameters<typeof fetch> {
  return input instanceof Request
    ? [new Request(input, { headers })]
    : [input, { ...init, headers }]
}

interface Place {
  readonly domain?: string | undefined
  readonly path: string
}
