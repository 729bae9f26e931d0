/** The key of a callback's name: on the function itself, so that no other function inherits it. */
const NAME: unique symbol = Symbol.for('siteauth.next.callback')

/**
 * Names a `jwt` callback that should run once per request, even though a proxy and the page behind
 * it both read the session. They are two bundles, in which no function is the same: only the name
 * tells a page that the proxy called this very callback and not another one. Without a name, each
 * calls its own.
 *
 * @example
 * ```ts
 * import SiteAuth, { askOnce } from '@siteauth/next'
 *
 * export const { handlers, auth } = SiteAuth({
 *   providers: [],
 *   callbacks: { jwt: askOnce('count visits', ({ token }) => ({ ...token, visits: 1 })) },
 * })
 * ```
 */
export function askOnce<Given extends readonly unknown[], Result>(
  name: string,
  callback: (...given: Given) => Result,
): (...given: Given) => Result {
  return Object.assign((...given: Given) => callback(...given), { [NAME]: name })
}

/** The name of a callback; undefined if it has none. */
export function nameOf(callback: unknown): string | undefined {
  return (callback as { readonly [NAME]?: string } | undefined)?.[NAME] // set above, or absent
}
