import { lazily } from '../base/awaitable.ts'

const pinning = lazily(() => import('#pinned-fetch'))

/**
 * A `fetch` for the metadata of a public server and what it names: those names must not lead to the machines around us,
 * which trust us, whatever they resolve to. Where that can be ensured, it is; elsewhere only the names are looked at.
 *
 * @param configured URLs that the application has configured, which may lead anywhere
 */
export function publicFetch(plain: typeof fetch, configured: ReadonlySet<string>): typeof fetch {
  return async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : String(input))
    if (configured.has(href)) return plain(input, init)
    const pinned = await pinning(each => each.pinnedFetch())
    return (pinned ?? plain)(input, init)
  }
}
