import { serializeCookie } from '../http/cookie-text.ts'
import { type CookieOption, clearCookie, type SetCookie } from '../http/cookies.ts'

// The host of an attacker sets cookies for a domain above both hosts, and for any path. Browsers remove a cookie only by the
// same domain and path, and send neither. So each pair that can have brought it is tried.

/** The host that cookies came to, and the paths that they can have been set for. */
export interface CookieTarget {
  readonly hostname: string
  readonly paths: readonly string[]
}

/**
 * How many bytes of headers removals take at most. Servers in front of an application allow 4 KiB for all headers of a
 * response, unless they are configured otherwise.
 */
const MAX_BYTES = 2000
/** The name of the header, and what separates it from the next. */
const HEADER_BYTES = 'set-cookie: \r\n'.length

/**
 * Removes cookies of these names that another host can have set, as many as fit in the headers of a response. The domain
 * that most hosts share comes first, and the path that precedes the others.
 */
export function clearPlantedCookies(
  { options }: CookieOption,
  names: readonly string[],
  { hostname, paths }: CookieTarget,
): readonly SetCookie[] {
  const tried = new Set(paths.flatMap(withParents))
  const all = parentDomains(hostname).flatMap(domain =>
    [...tried].flatMap(path =>
      names.map(name => clearCookie({ name, options: { ...options, domain, path } })),
    ),
  )
  let bytes = 0
  return all.filter(cookie => {
    bytes += serializeCookie(cookie).length + HEADER_BYTES
    return bytes <= MAX_BYTES
  })
}

/** `/auth/signout` is sent the cookies of `/auth/signout`, `/auth/`, `/auth` and `/`: RFC 6265 §5.1.4. */
function withParents(path: string): readonly string[] {
  const parents: string[] = [path]
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    parents.push(path.slice(0, at + 1), path.slice(0, at))
  }
  return [...parents.filter(isPath), '/']
}

/** Attributes have no semicolons. */
function isPath(path: string): boolean {
  return path !== '/' && /^\/[\x21-\x3a\x3c-\x7e]*$/.test(path)
}

/** The domains that a host can have cookies of, the shortest first. None for an address, or a name without a dot. */
function parentDomains(hostname: string): readonly string[] {
  const labels = hostname.split('.')
  const isName = /^[a-z][a-z\d-]*$/.test(labels.at(-1) ?? '')
  if (!isName) return []
  return labels.slice(0, -1).map((_, at) => labels.slice(labels.length - 2 - at).join('.'))
}
