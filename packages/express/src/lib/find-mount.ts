import { isAuthAction } from '@siteauth/core'

/** Where a request is among the routers. */
export interface Position {
  /** The path that the mounts have taken off. */
  readonly baseUrl: string
  /** What is left of the path. */
  readonly rest: string
  /** Whether it came to a route, which takes nothing off, rather than to a mount. */
  readonly isRoute: boolean
  /** The base path by the configuration. Empty where it says none. */
  readonly said: string
}

/**
 * The base path of the endpoints, from where a middleware was mounted and what is left of the path.
 * Plainly mounted, the one is the base path and the other names an endpoint. Behind wildcards, regular
 * expressions and routes the border lies elsewhere, or is lost: then the end of the path tells, since
 * that is where endpoints are named.
 */
export function findMount(
  { baseUrl, rest, isRoute, said }: Position,
  isProvider: (id: string) => boolean,
): string {
  const mounted = trim(baseUrl)
  const below = piecesOf(rest)
  if (endpointLength(below, isProvider) === below.length && below.length > 0) return mounted
  const path = baseUrl + rest
  const length = endpointLength(piecesOf(path), isProvider)
  if (length === 0) return mounted
  const found = trim(withoutLast(path, length))
  // Something between a plain mount and the endpoint is no part of the mount, unless it is said to be.
  const isBelow = mounted !== '' && !isRoute && length < below.length
  const isSaid = said !== '' && found.endsWith(said) && !mounted.endsWith(said)
  return isBelow && !isSaid ? mounted : found
}

function piecesOf(path: string): string[] {
  return path.split('/').filter(piece => piece !== '')
}

/** A path up to its last pieces. */
function withoutLast(path: string, count: number): string {
  const trimmed = trim(path)
  const before = trimmed.slice(0, trimmed.lastIndexOf('/') + 1)
  return count === 1 ? before : withoutLast(before, count - 1)
}

const withProvider = ['signin', 'callback', 'webauthn-options']

/** How many pieces at the end of a path name an endpoint: `session`, `callback/github`, or none. */
function endpointLength(pieces: readonly string[], isProvider: (id: string) => boolean): 0 | 1 | 2 {
  const [last = '', before = ''] = [pieces.at(-1), pieces.at(-2)]
  const isAction = isAuthAction(last)
  // A provider may have the name of an endpoint, and a base path may end like one.
  const hasProvider = withProvider.includes(before)
  if (hasProvider && (!isAction || isProvider(last))) return 2
  return isAction ? 1 : 0
}

function trim(path: string): string {
  return path.replace(/\/+$/, '')
}
