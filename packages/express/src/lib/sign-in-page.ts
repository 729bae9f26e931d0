import type { IncomingMessage } from 'node:http'
import { publicPath } from '@siteauth/core/endpoints'
import type { Frame } from '@siteauth/core/integration'

type Placed = Pick<Frame, 'paths' | 'pages'>

/** Where people sign in, as browsers see it: a path, or a URL where one is configured. */
export function signInPage(frame: Placed, own: string | undefined = frame.pages.signIn): string {
  return own === undefined ? `${frame.paths.public}/signin` : publicPath(frame, own)
}

/** The address of a page that is told where to send people afterwards. */
export function withReturn(page: string, callbackUrl: string | undefined): string {
  if (callbackUrl === undefined) return page
  const [address = '', fragment] = page.split('#', 2)
  const joint = address.includes('?') ? '&' : '?'
  const hash = fragment === undefined ? '' : `#${fragment}`
  return `${address}${joint}callbackUrl=${encodeURIComponent(callbackUrl)}${hash}`
}

/** The page that the visitor is on, where it is one of this site: pages of others send forms, too. */
export function ownReferer(
  { headers: { referer } }: IncomingMessage,
  origin: string | undefined,
): string | undefined {
  const isOwn = referer && URL.canParse(referer) && new URL(referer).origin === origin
  return isOwn ? referer : undefined
}
