import type { RequestEvent } from '@sveltejs/kit'

/**
 * Takes note of the cookies that are set from now on, ours and the application's. SvelteKit puts them on answers of its
 * own, and has no list of them for whoever answers in its place.
 */
export function noteCookies({ cookies }: Pick<RequestEvent, 'cookies'>): () => readonly string[] {
  const noted = new Map<string, Parameters<typeof cookies.set>>()
  const { set } = cookies
  cookies.set = (...given) => {
    set.apply(cookies, given)
    const [name, , { domain = '', path }] = given
    noted.set(`${name};${domain};${path}`, given)
  }
  return () => [...noted.values()].map(given => cookies.serialize(...given))
}
