import { isAuthAction } from '@siteauth/core'

/** Where a request is among the routers. */
export interface Position {
  /** The path that the mounts have taken off. */
  readonly baseUrl: string
  /** What is left of the path. */
  readonly rest: string
  /** Whether it came to a route, which takes nothing off, rather than to a mount. */
  readonly isRoute: boolean
  /** What wildcards, groups and parameters of the mount stand for. */
  readonly params: Readonly<Record<string, unknown>>
  /** The base path by the configuration. Empty if it specifies none. */
  readonly configured: string
  /** The base path if neither the configuration nor the mount specifies one. */
  readonly assumed: string
}

/**
 * The base path of the endpoints, from where a middleware was mounted and what is left of the path; null
 * where the path names no endpoint. Plainly mounted, the one is the base path and the other names an
 * endpoint. Behind wildcards, regular expressions and routes the border lies elsewhere, or is lost: then
 * the end of the path tells, as far as the configuration and the mount bear it out. Visitors choose the
 * path, so it alone decides nothing.
 */
export function findMount(position: Position, isProvider: (id: string) => boolean): string | null {
  const { baseUrl, rest, isRoute, params, configured } = position
  const mounted = trim(baseUrl)
  const below = piecesOf(rest)
  const isPlain = below.length > 0 && endpointLength(below, isProvider) === below.length
  if (isPlain && mounted !== '') {
    const isLiteral = Object.keys(params).length === 0
    return configured === '' || isLiteral || isConfigured(position, mounted, 0)
      ? ownPath(mounted)
      : null
  }
  const path = baseUrl + rest
  const length = endpointLength(piecesOf(path), isProvider)
  if (length === 0) return null
  const found = trim(withoutLast(path, length))
  const taken = isRoute ? length : length - below.length
  if (configured !== '') return isConfigured(position, found, taken) ? ownPath(found) : null
  if (isPlain) return mounted // the root
  // What a mount took off, or a route matched. Below a plain mount there is nothing but endpoints.
  return taken > 0 && isMatched(position, found, taken) ? ownPath(found) : null
}

/** Whether a base path is the one that is configured, with what proxies take off and routers add. */
function isConfigured(position: Position, found: string, taken: number): boolean {
  const { baseUrl, configured } = position
  if (isSame(found, configured) || (found !== '' && endsAlike(configured, found))) return true
  // What stands before must be the path of a router, and not what a visitor wrote.
  const before = found.slice(0, found.length - configured.length)
  const longestMatch = taken + piecesOf(configured).length
  return (
    endsAlike(found, configured) &&
    startsAlike(baseUrl, before) &&
    wildcards(position).every(each => each.length <= longestMatch)
  )
}

/** Whether the mount itself shows where the endpoint begins: by what its wildcards stand for. */
function isMatched(position: Position, found: string, taken: number): boolean {
  const covering = wildcards(position)
  // A regular expression without groups shows nothing.
  return covering.length > 0
    ? covering.every(each => each.length <= taken)
    : endsAlike(found, position.assumed)
}

/** The pieces of what stands for the end of the path that was matched. */
function wildcards({ baseUrl, rest, isRoute, params }: Position): string[][] {
  const last = decode(piecesOf(isRoute ? rest : baseUrl).at(-1) ?? '')
  return Object.values(params)
    .map(value => piecesOf(Array.isArray(value) ? value.join('/') : String(value ?? '')))
    .filter(each => each.at(-1) === last)
}

/** A path that stays on this host: browsers take two slashes, or one that leans back, for a host. */
function ownPath(path: string): string | null {
  return path.includes('//') || path.includes('\\') ? null : path
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

const withProvider = [
  'signin',
  'callback',
  'webauthn-options',
  'backchannel-logout',
  'frontchannel-logout',
  'assets',
]

/** How many pieces at the end of a path name an endpoint: `session`, `callback/github`, or none. */
function endpointLength(pieces: readonly string[], isProvider: (id: string) => boolean): 0 | 1 | 2 {
  const [last = '', before = ''] = [pieces.at(-1), pieces.at(-2)]
  const isAction = isAuthAction(last)
  if (isAuthAction(`${before}/${last}`)) return 2
  // A provider may have the name of an endpoint, and a base path may end like one.
  const hasProvider = withProvider.includes(before)
  if (hasProvider && (!isAction || isProvider(last))) return 2
  return isAction ? 1 : 0
}

function trim(path: string): string {
  return path.replace(/\/+$/, '')
}

// Express finds a mount whatever the case of the path that a request names.
function isSame(path: string, other: string): boolean {
  return path.toLowerCase() === other.toLowerCase()
}

function endsAlike(path: string, end: string): boolean {
  return path.toLowerCase().endsWith(end.toLowerCase())
}

function startsAlike(path: string, start: string): boolean {
  return path.toLowerCase().startsWith(start.toLowerCase())
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
