import type { IncomingMessage } from 'node:http'
import { publicPath, type SentRequest } from '@siteauth/core/endpoints'
import { type PageConfig, resolveOrigin, type Whereabouts } from '@siteauth/core/integration'

/** Where people sign in, as browsers see it: a path, or a URL where one is configured. */
export function signInPage(
  config: Pick<PageConfig, 'paths' | 'pages'>,
  own: string | undefined = config.pages.signIn,
): string {
  return own === undefined ? `${config.paths.public}/signin` : publicPath(config, own)
}

/** The address of a page that is told where to send people afterwards. */
export function withCallbackUrl(page: string, callbackUrl: string | undefined): string {
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

/**
 * Where this site is for the visitor; undefined if the host that a request names is not trusted.
 */
export function ownOrigin(
  { origin, trustHost }: Pick<Whereabouts, 'origin' | 'trustHost'>,
  { url, headers }: SentRequest,
): string | undefined {
  const { protocol, host } = new URL(url)
  const header = (name: string) => headers.get(name)
  return resolveOrigin(origin, trustHost, { header, protocol, host }).origin
}
