import { isPrivateCacheControl, isTargetedCacheHeader, PRIVATE } from './cache-control.ts'

/** The changes to a response that the application or framework makes. */
export interface ResponseChange {
  /** Values for `Set-Cookie` headers, to be added to the existing ones. */
  readonly setCookies: readonly string[]
  /**
   * `never`: no cache may store the response, whatever its headers, since it carries a session. `private`: no shared
   * cache may, unless the response allows it.
   */
  readonly caching: 'never' | 'private'
}

/**
 * A response with a change made to it: a copy, since headers of some responses cannot be changed. A body that
 * is a stream goes on as it is.
 */
export function changeResponse(response: Response, change: ResponseChange): Response {
  // A connection that becomes another protocol does not have a response that could be stored.
  if (response.status === 101) return response
  const copy = new Response(response.body, response)
  changeHeaders(copy.headers, change)
  return copy
}

/** Makes the same change to headers alone. */
export function changeHeaders(headers: Headers, { setCookies, caching }: ResponseChange): void {
  for (const line of setCookies) headers.append('set-cookie', line)
  const existing = caching === 'private' ? headers.get('cache-control') : null
  if (existing !== null && !isPrivateCacheControl(existing)) return
  for (const name of [...headers.keys()].filter(isTargetedCacheHeader)) headers.delete(name)
  if (existing !== null) return
  headers.delete('expires')
  headers.set('cache-control', caching === 'never' ? PRIVATE : 'private, no-cache')
}

/** Changes that wait for an answer, for frameworks that show it when it is done. */
export interface PendingChanges<Key extends object> {
  /** Keeps a change for the answer to a request. */
  add(key: Key, change: ResponseChange): void
  /** All the changes that were kept for the answer to a request. */
  take(key: Key): ResponseChange | undefined
  /** The answer with all the changes that were kept for it. Without any, it is the very same. */
  applyTo(key: Key, response: Response): Response
}

/**
 * Keeps changes until there is an answer to make them to. For the many frameworks whose middleware is handed
 * the response of the page.
 */
export function pendingChanges<Key extends object>(): PendingChanges<Key> {
  const pending = new WeakMap<Key, ResponseChange>()

  function take(key: Key): ResponseChange | undefined {
    const change = pending.get(key)
    pending.delete(key)
    return change
  }

  return {
    add(key, change) {
      const before = pending.get(key)
      pending.set(key, {
        setCookies: [...(before?.setCookies ?? []), ...change.setCookies],
        caching: before?.caching === 'never' ? 'never' : change.caching,
      })
    },
    take,
    applyTo(key, response) {
      const change = take(key)
      return change ? changeResponse(response, change) : response
    },
  }
}
