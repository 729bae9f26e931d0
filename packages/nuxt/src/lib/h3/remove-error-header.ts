import type { H3Event } from 'h3'

/**
 * Removes the header by which Nuxt marks requests of its own for the error page. From outside, it would say to whatever
 * runs later that a page has failed.
 *
 * @param isInner whether the server made this request to itself, as far as that is known
 */
export function removeErrorHeader(event: H3Event, isInner: boolean): void {
  if (isInner || isLocal(event)) return
  delete event.node.req.headers[ERROR_HEADER]
  event.headers.delete(ERROR_HEADER)
}

const ERROR_HEADER = 'x-nuxt-error'

/**
 * Whether the server made the request to itself. On some platforms, Nitro passes all requests on in the same way; what the
 * platform adds tells those from outside.
 */
function isLocal({ node }: H3Event): boolean {
  if (!('__unenv__' in node.req)) return false
  const context = node.req.__unenv__ as { readonly _platform?: unknown } | undefined // set by Nitro
  return context?._platform === undefined
}
