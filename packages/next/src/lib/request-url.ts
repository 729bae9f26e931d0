import type { NextRequest } from 'next/server.js'

/** The request, in any of its forms, by which its address is determined. */
export interface RequestAddress {
  header(name: string): string | null | undefined
  /** The scheme, if no proxy sends it. Next's own server always does. */
  readonly protocol: string
  readonly host: string
}

/** The address of a request whose URL is available. */
export function addressOf(request: Request): RequestAddress {
  const { protocol, host } = new URL(request.url)
  return { header: name => request.headers.get(name), protocol, host }
}

/** Next's own view of the URL has the prefix and the language of a path where browsers have them. */
export function browserUrl(request: NextRequest): URL {
  return new URL(request.nextUrl?.href ?? request.url)
}

/**
 * The path that Next routes by, without a slash at its end: Next has cut its own prefix off. What a proxy cuts off never
 * arrives, and a path that begins alike is another one.
 */
export function routedPath(request: NextRequest): string {
  return trimmed(request.nextUrl?.pathname ?? new URL(request.url).pathname)
}

/**
 * Whether the router may look for a request at another path than {@link routedPath}. Next removes the language for
 * the proxy, and routes of the App Router exist without one only, the endpoints among them. Requests for data always
 * have a language.
 */
export function hasLanguage({ nextUrl, headers }: NextRequest): boolean {
  const { locale, defaultLocale } = nextUrl ?? {}
  if (!locale) return false
  return locale !== defaultLocale || isForData({ nextUrl, headers })
}

/** Whether Next's script asks for the data of a page. */
export function isForData({ headers, nextUrl }: Pick<NextRequest, 'headers' | 'nextUrl'>): boolean {
  return headers.has('x-nextjs-data') || Boolean(nextUrl?.buildId)
}

/** The path of a page in the configuration, which may have what Next or a proxy puts before it. */
export function pathWithout(prefix: string, pathname: string): string {
  const isBelow = pathname.startsWith(`${prefix}/`) || pathname === prefix
  return trimmed(isBelow ? pathname.slice(prefix.length) : pathname)
}

function trimmed(pathname: string): string {
  return pathname.replace(/\/+$/, '') || '/'
}
