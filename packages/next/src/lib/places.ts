import { type Frame, parsePath } from '@siteauth/core/integration'

/** The path of a URL as the application knows it, without what Next or a proxy puts before it. */
export function ownPath(pathname: string, prefix: string): string {
  const below = pathname.startsWith(`${prefix}/`) || pathname === prefix
  return trim(below ? pathname.slice(prefix.length) : pathname)
}

/** Whether a path is one of the library's own endpoints. */
export function isEndpoint({ paths }: Pick<Frame, 'paths'>, path: string): boolean {
  return parsePath(path, [paths.route]) !== null
}

/** Whether a path is a page that people need who are not signed in. */
export function isOpenPage(
  { pages }: Pick<Frame, 'pages'>,
  path: string,
  origin: string,
  prefix: string,
): boolean {
  const { signIn, signOut, error, verifyRequest } = pages
  return [signIn, signOut, error, verifyRequest].some(page => {
    if (page === undefined) return false
    const url = new URL(page, origin)
    return url.origin === origin && ownPath(url.pathname, prefix) === path
  })
}

function trim(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}
