import type { RequestEvent } from '@sveltejs/kit'
import { readSetCookie } from './read-set-cookie.ts'

/**
 * Takes note of the cookies that are set from now on, ours and the application's. SvelteKit puts them on answers of its
 * own, and has no list of them for whoever answers in its place.
 */
export function noteCookies(
  event: Pick<RequestEvent, 'cookies' | 'fetch' | 'url'>,
): () => readonly string[] {
  const { cookies, fetch, url } = event
  const noted = new Map<string, () => string>()
  const note = (name: string, { domain = '', path }: Place, line: () => string) => {
    noted.set(`${name};${domain};${path}`, line)
  }
  const { set } = cookies
  cookies.set = (...given) => {
    set.apply(cookies, given)
    note(given[0], given[2], () => cookies.serialize(...given))
  }
  // SvelteKit passes on what its own site sets for requests that the application makes of itself.
  event.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const asked = new URL(input instanceof Request ? input.url : input, url)
    if (asked.origin !== url.origin) return response
    for (const line of response.headers.getSetCookie()) {
      const { name, options } = readSetCookie(line)
      note(name, options, () => line)
    }
    return response
  }
  return () => [...noted.values()].map(line => line())
}

interface Place {
  readonly domain?: string | undefined
  readonly path: string
}
