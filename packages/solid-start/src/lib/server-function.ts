import type { SentRequest } from '@siteauth/core/endpoints'
import type { NativeEvent, SolidEvent } from './solid-event.ts'

/**
 * Whether a request was dispatched to a server function: by the script of a page, or by a form without a script. h3 has
 * then cut the mount of the functions off the target. URLs do not tell: `/_server/../login` is a function as well.
 */
export function isFunctionCall({ nativeEvent }: Pick<SolidEvent, 'nativeEvent'>): boolean {
  const target = sentTarget(nativeEvent)
  if (target === undefined) return false
  const whole = decoded(target)
  const rest = nativeEvent.node?.req.url ?? whole
  const mount = whole.endsWith(rest) ? whole.slice(0, whole.length - rest.length) : whole
  return mount.endsWith('/_server')
}

/** The target as it was sent, with its query. */
export function sentTarget({ node }: NativeEvent): string | undefined {
  return node?.req.originalUrl ?? node?.req.url
}

/**
 * A call as what it stands for: somebody did something on a page. If they have to sign in, they come back to that
 * page, and not to the address of the function.
 */
export function asForm(request: Request): SentRequest {
  const { url, headers } = request
  const ofPage = new Headers(headers)
  ofPage.set('accept', 'text/html')
  if (isByLink(request)) ofPage.set('sec-fetch-site', 'cross-site')
  return { method: 'POST', url, headers: ofPage, body: null }
}

/**
 * Whether a link led to a function, which SolidStart then runs as well. Browsers say `none` where it was in a mail, as if
 * somebody had typed it; nobody types such an address.
 */
function isByLink({ method, headers }: Request): boolean {
  const isByPage = headers.has('x-server-id') || headers.get('sec-fetch-site') === 'same-origin'
  return method !== 'POST' && !isByPage
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * A redirect as a whole URL. Solid's router takes a path for a page of the application, and would look for the
 * endpoints among those.
 */
export function asWholeUrl(location: string, request: Request): string {
  return new URL(location, originOf(request)).href
}

/** Where the page is that calls, as the browser knows it: a proxy may have told the server otherwise. */
function originOf({ headers, url }: Request): string {
  const page = headers.get('origin') ?? headers.get('referer') ?? ''
  const isOwn = headers.get('sec-fetch-site') === 'same-origin' && URL.canParse(page)
  return new URL(isOwn ? page : url).origin
}
