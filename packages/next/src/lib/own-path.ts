import { parsePath } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'

/** The path of a URL as the application knows it, without what Next or a proxy puts before it. */
export function ownPath(pathname: string, prefix: string): string {
  const below = pathname.startsWith(`${prefix}/`) || pathname === prefix
  return trim(below ? pathname.slice(prefix.length) : pathname)
}

/** Next's own view of the URL has the prefix and the language of a path where browsers have them. */
export function seenUrl(request: NextRequest): URL {
  return new URL(request.nextUrl?.href ?? request.url)
}

/** Whether a path is one of the library's own endpoints. */
export function isEndpoint(route: string, path: string): boolean {
  return parsePath(path, [route]) !== null
}

function trim(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}
