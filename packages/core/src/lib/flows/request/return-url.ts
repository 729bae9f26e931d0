import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import { publicPrefix } from './endpoint-url.ts'
import type { Incoming } from './incoming.ts'

declare const checked: unique symbol

/** A URL that a visitor may be sent to. Only this file makes one. */
export type CheckedRedirect = string & { readonly [checked]: true }

/** Where to go when a flow is over: what the visitor asked for, as far as the application allows. */
export async function chooseReturn(
  config: ResolvedConfig,
  request: Incoming,
  /** The visitor's choice when the flow began, if the flow itself remembers it. */
  earlier?: string,
): Promise<CheckedRedirect> {
  const { origin } = request
  const remembered = request.cookies[callbackCookie(request).name]
  const requested = earlier ?? requestedReturnUrl(request) ?? remembered
  return requested === undefined ? ownSite(config, origin) : allowReturn(config, origin, requested)
}

/**
 * The cookie that remembers where to go, if the visitor has said so and it is not known yet.
 *
 * @param to what {@link chooseReturn} answered
 * @param earlier what the visitor asked for when the flow began
 */
export function rememberReturn(
  config: ResolvedConfig,
  request: Incoming,
  to: CheckedRedirect,
  earlier?: string,
): readonly SetCookie[] {
  const cookie = callbackCookie(request)
  if ((earlier ?? requestedReturnUrl(request)) === undefined) return []
  // A missing cookie means the site itself, unless a return URL was set just now.
  const stored = request.cookies[cookie.name]
  const current = stored ?? (earlier && ownSite(config, request.origin))
  if (current === to) return []
  if (encodeURIComponent(to).length <= MAX_COOKIE_LENGTH) return [setCookie(cookie, to)]
  // The one before leads to another page.
  return stored === undefined ? [] : [clearCookie(cookie)]
}

/**
 * The longest return URL that each attempt remembers for itself, so that attempts in several tabs lead to several pages. Longer
 * ones are in the cookie for return URLs, once for all attempts.
 */
const MAX_BRIEF_LENGTH = 256

/** Whether an attempt can remember a return URL for itself. */
export function isBrief(url: string): boolean {
  return url.length <= MAX_BRIEF_LENGTH
}

/** Bytes, as the cookie has them. The rest of the budget suffices for an attempt and a page with a passkey. */
const MAX_COOKIE_LENGTH = 2700

/** Where the application itself sends a visitor: its own word, so also to another site. */
export function ownRedirect(origin: string, url: string): CheckedRedirect | null {
  return normalise(url, origin)
}

function requestedReturnUrl({ body, query }: Incoming): string | undefined {
  const requested = body['callbackUrl'] ?? query['callbackUrl']
  return typeof requested === 'string' && requested !== '' ? requested : undefined
}

/** Longer than a visitor's wish need be, and short enough for a header and a cookie. */
const MAX_URL_LENGTH = 2048

async function allowReturn(
  config: ResolvedConfig,
  origin: string,
  url: string,
): Promise<CheckedRedirect> {
  // A text that is not a URL is ignored. The application's callback need not handle it.
  if (url.length > MAX_URL_LENGTH || !isUrl(url, origin)) return ownSite(config, origin)
  const { redirect } = config.callbacks
  if (!redirect) return sameOrigin(url, origin) ?? ownSite(config, origin)
  return normalise(await redirect({ url, baseUrl: origin }), origin) ?? ownSite(config, origin)
}

function sameOrigin(url: string, origin: string): CheckedRedirect | null {
  const to = normalise(url, origin)
  return to !== null && new URL(to).origin === origin ? to : null
}

/** Schemes that run or show what they contain, in the name of whatever page opens them. */
const runnable = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:', 'view-source:']

/**
 * The beginning of a path. `//` and `/\\` begin like one and lead to another site in browsers, which skip blanks and
 * controls: code that allows paths means those of this site.
 */
const pathStart = /^[\s\p{Cc}/\\]/u

function normalise(url: unknown, origin: string): CheckedRedirect | null {
  if (typeof url !== 'string' || !isUrl(url, origin)) return null
  const target = new URL(url, origin)
  if (runnable.includes(target.protocol)) return null
  if (pathStart.test(url) && target.origin !== origin) return null
  // It would reach logs and histories, and make one host look like another.
  target.username = ''
  target.password = ''
  const { href } = target
  // Browsers strip blanks and controls and turn slashes round: what they would read is what we say.
  return (href === `${url}/` ? url : href) as CheckedRedirect
}

/** Whether a text is an absolute URL or a path. Anything else is a slip, such as a missing slash. */
function isUrl(url: string, origin: string): boolean {
  try {
    new URL(url, url.startsWith('/') ? origin : undefined)
    return true
  } catch {
    return false
  }
}

/** The application itself, where nothing else is known. */
export function ownSite(config: Pick<ResolvedConfig, 'paths'>, origin: string): CheckedRedirect {
  return `${origin}${publicPrefix(config)}` as CheckedRedirect // resolved at the door, and configured
}

function callbackCookie(request: Incoming) {
  return request.cookieOptions.callbackUrl
}
