import type { IncomingMessage } from 'node:http'
import type { Frame } from '@siteauth/core/integration'

type Placed = Pick<Frame, 'paths' | 'pages'>

/** Where people sign in, as browsers see it: a path, or a URL where one is configured. */
export function signInPage(frame: Placed, own: string | undefined = frame.pages.signIn): string {
  return own === undefined ? `${frame.paths.public}/signin` : publicPath(frame, own)
}

/** A path as browsers see it: applications do not know the prefix that a proxy takes off. */
export function publicPath({ paths }: Pick<Frame, 'paths'>, path: string): string {
  const prefix = paths.public.slice(0, paths.public.length - paths.route.length)
  return prefix && path.startsWith('/') && !path.startsWith(`${prefix}/`) ? prefix + path : path
}

/** Where people go after they signed in or out: what the application says, else what the browser says. */
export function destination(frame: Pick<Frame, 'paths'>, own: unknown, said: unknown): unknown {
  // The application names a path of its own; the browser speaks of what it sees.
  const path = own ?? (said === undefined ? '/' : undefined)
  return path === undefined ? said : publicPath(frame, String(path))
}

/** The address of a page that is told where to send people afterwards. */
export function withReturn(page: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return page
  const [address = '', fragment] = page.split('#', 2)
  const joint = address.includes('?') ? '&' : '?'
  const hash = fragment === undefined ? '' : `#${fragment}`
  return `${address}${joint}callbackUrl=${encodeURIComponent(callbackUrl)}${hash}`
}

/** The page that the visitor is on, if it is one of this site: pages of others send forms, too. */
export function ownReferer(
  { headers: { referer } }: IncomingMessage,
  origin: string | undefined,
): string | undefined {
  const isOwn = referer && URL.canParse(referer) && new URL(referer).origin === origin
  return isOwn ? referer : undefined
}
