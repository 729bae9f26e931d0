import { readCookies } from '@siteauth/core/internal'

/** The `Cookie` header of the browser, for requests that the application makes of itself. */
export interface InnerCookies {
  /**
   * Announces a request that is about to be made. Returns a header that it has to carry, and what forgets it.
   *
   * @param sent the `Cookie` header of the browser
   * @param isReplaced whether the application has set or sends a cookie of that name
   */
  announce(
    sent: string,
    isReplaced: (name: string) => boolean,
  ): { readonly header: readonly [string, string]; forget(): void }
  /** The headers of a request, with the cookies of the browser if it was announced. */
  restore(request: Request): Headers
}

const HEADER = 'x-siteauth-inner'

/**
 * SvelteKit writes the `Cookie` header of such requests again, with one cookie of each name: the first, where names are trimmed
 * as JavaScript does. A cookie that a sibling host has planted would then hide the session, and end it.
 */
export function createInnerCookies(): InnerCookies {
  const announced = new Map<string, (written: string) => string>()
  const restored = new WeakMap<Request, Headers>()
  return {
    announce(sent, isReplaced) {
      // Random, and secret while the request is made: a header from outside cannot match it.
      const id = crypto.randomUUID()
      announced.set(id, written => mergeCookies(sent, written, isReplaced))
      return { header: [HEADER, id], forget: () => announced.delete(id) }
    },
    restore(request) {
      const existing = restored.get(request)
      if (existing) return existing
      const merge = announced.get(request.headers.get(HEADER) ?? '')
      if (!merge) return request.headers
      const headers = new Headers(request.headers)
      headers.set('cookie', merge(headers.get('cookie') ?? ''))
      restored.set(request, headers)
      return headers
    },
  }
}

/** Whether SvelteKit reads other cookies in a header than browsers mean by it. */
export function isReadOtherwise(header: string): boolean {
  if (header === '') return false
  const names = header.split(';').map(nameByKit)
  const own = new Set(readCookies(header).map(({ name }) => name))
  return names.length !== own.size || names.some(name => !own.has(name))
}

function mergeCookies(
  sent: string,
  written: string,
  isReplaced: (name: string) => boolean,
): string {
  const select = (header: string, wanted: boolean) =>
    header.split(';').filter(pair => isReplaced(nameByKit(pair)) === wanted)
  return [...select(sent, false), ...select(written, true)]
    .map(pair => pair.replace(/^ /, ''))
    .filter(pair => pair !== '')
    .join('; ')
}

/** The name of a cookie as SvelteKit takes it. */
export function nameByKit(pair: string): string {
  return (pair.split('=', 1)[0] ?? '').trim()
}
