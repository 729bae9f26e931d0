import { isTargetedCacheHeader, PRIVATE } from '../http/cache-control.ts'

/** The members of Node's response that concern caches. */
export interface NodeResponse {
  getHeaderNames(): string[]
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): void
  writeHead(...given: never[]): unknown
}

/** Takes off what speaks to some caches: they would obey it rather than `Cache-Control`. */
export function removeTargetedCacheHeaders(
  response: Pick<NodeResponse, 'getHeaderNames' | 'removeHeader'>,
): void {
  for (const name of response.getHeaderNames())
    if (isTargetedCacheHeader(name)) response.removeHeader(name)
}

/**
 * Ensures that no cache keeps a response, whatever is set afterwards: it is about one visitor, and
 * may carry a session that would sign in anyone a cache served it to.
 */
export function preventCaching(response: NodeResponse): void {
  if (guarded.has(response)) return
  guarded.add(response)
  removeTargetedCacheHeaders(response)
  response.setHeader('cache-control', PRIVATE)
  // For good, and not just until the headers are written: others hook into that, and come after us.
  const hooks = response as unknown as Record<string, Hook | undefined> // passed through as they come
  for (const change of ['setHeader', 'appendHeader', 'removeHeader']) {
    const original = hooks[change]
    if (!original) continue // `appendHeader` is newer than the rest
    hooks[change] = (...given) =>
      concernsCaches(given[0]) ? response : original.apply(response, given)
  }
  const { writeHead } = hooks
  // Its arguments would win over headers that were set before.
  hooks['writeHead'] = (...given) => {
    const last = given.at(-1)
    const hasHeaders = typeof last === 'object' && last !== null
    return writeHead?.apply(
      response,
      hasHeaders ? [...given.slice(0, -1), withoutCaching(last)] : given,
    )
  }
}

type Hook = (...given: unknown[]) => unknown

const guarded = new WeakSet<NodeResponse>()

/** Headers as `writeHead` takes them: an object, pairs, or names and values in turns. */
function withoutCaching(headers: object): object {
  if (!Array.isArray(headers)) {
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !concernsCaches(name)))
  }
  if (Array.isArray(headers[0])) return headers.filter(([name]) => !concernsCaches(name))
  return headers.filter((_, index) => !concernsCaches(headers[index - (index % 2)]))
}

function concernsCaches(name: unknown): boolean {
  const lower = String(name).toLowerCase()
  return lower === 'cache-control' || lower === 'expires' || isTargetedCacheHeader(lower)
}
