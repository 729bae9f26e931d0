import { isAuthAction } from '@siteauth/core'

/**
 * The base path of the endpoints, from where a middleware was mounted and what is left of the path.
 * Plainly mounted, the one is the base path and the other names an endpoint. Behind wildcards, regular
 * expressions and routes the border lies elsewhere, or is lost: then the end of the path tells, since
 * that is where endpoints are named.
 */
export function findMount(
  baseUrl: string,
  rest: string,
  isProvider: (id: string) => boolean,
): string {
  const below = piecesOf(rest)
  if (endpointLength(below, isProvider) === below.length && below.length > 0) return trim(baseUrl)
  const path = baseUrl + rest
  const all = piecesOf(path)
  const first = all[all.length - endpointLength(all, isProvider)]
  return trim(first ? path.slice(0, first.at) : baseUrl)
}

interface Piece {
  readonly text: string
  readonly at: number
}

function piecesOf(path: string): Piece[] {
  return [...path.matchAll(/[^/]+/g)].map(({ 0: text, index }) => ({ text, at: index }))
}

const withProvider = ['signin', 'callback', 'webauthn-options']

/** How many pieces at the end of a path name an endpoint: `session`, `callback/github`, or none. */
function endpointLength(pieces: readonly Piece[], isProvider: (id: string) => boolean): 0 | 1 | 2 {
  const [before = '', last = ''] = pieces.slice(-2).map(({ text }) => text)
  const only = pieces.length === 1 ? before : last
  const isAction = isAuthAction(only)
  // A provider may have the name of an endpoint, and a base path may end like one.
  const hasProvider = pieces.length > 1 && withProvider.includes(before)
  if (hasProvider && (!isAction || isProvider(only))) return 2
  return isAction ? 1 : 0
}

function trim(path: string): string {
  return path.replace(/\/+$/, '')
}
