import type { SentRequest } from '@siteauth/core/integration'
import type { NativeEvent, SolidEvent } from './solid-event.ts'

/**
 * Whether a request was dispatched to a server function: by the script of a page, or by a form without a script. h3 has
 * then cut the mount of the functions off the target. URLs do not tell: `/_server/../login` is a function as well. If the
 * event does not tell, it counts as a function.
 */
export function isFunctionCall({ nativeEvent }: Pick<SolidEvent, 'nativeEvent'>): boolean {
  const target = sentTarget(nativeEvent)
  if (target === undefined) return true
  // A configured base is cut off the targets of pages as well. How much is cut off does not tell them apart: h3 measures
  // it in the decoded path, and cuts it off the encoded one.
  return nativeEvent.node?.req.url !== target && decoded(pathOf(target)).includes('/_server')
}

/** The target as it was sent, with its query. */
export function sentTarget({ node }: NativeEvent): string | undefined {
  return node?.req.originalUrl ?? node?.req.url
}

/** A target without its query. */
export function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? target
}

/**
 * A call as what it stands for: somebody did something on a page. If they have to sign in, they come back to that
 * page, and not to the address of the function.
 */
export function asForm(request: SentRequest): SentRequest {
  const { url, headers, sender } = request
  const ofPage = new Headers([...headers])
  ofPage.set('accept', 'text/html')
  if (isByLink(request)) ofPage.set('sec-fetch-site', 'cross-site')
  return { method: 'POST', url, headers: ofPage, body: null, sender }
}

/**
 * Whether a link led to a function, which SolidStart then runs as well. Browsers say `none` where it was in a mail, as if
 * somebody had typed it; nobody types such an address.
 */
function isByLink({ method, headers }: SentRequest): boolean {
  const isByPage =
    headers.get('x-server-id') !== null || headers.get('sec-fetch-site') === 'same-origin'
  return method !== 'POST' && !isByPage
}

/** Decodes each byte by itself: a malformed one elsewhere in the path is no reason to leave the others. */
function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * A redirect as a whole URL. Solid's router takes a path for a page of the application, and would look for the
 * endpoints among those.
 */
export function asWholeUrl(location: string, request: Request): string {
  return new URL(location, originOf(request)).href
}

/** The origin of the calling page, as the browser has it: a proxy may have sent the server another one. */
function originOf({ headers, url }: Request): string {
  const page = headers.get('origin') ?? headers.get('referer') ?? ''
  const isOwn = headers.get('sec-fetch-site') === 'same-origin' && URL.canParse(page)
  return new URL(isOwn ? page : url).origin
}
