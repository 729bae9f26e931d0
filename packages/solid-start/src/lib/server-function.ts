import type { SentRequest } from '@siteauth/core/endpoints'

/** Whether a page calls a server function: its script, or a form of it where there is no script. */
export function isFunctionCall({ headers, url }: Request): boolean {
  // h3 looks at how the path begins, once that is decoded. Before it, there may be a base.
  return headers.has('x-server-id') || decoded(new URL(url).pathname).includes('/_server')
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
