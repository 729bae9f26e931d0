import type { SentRequest } from '@siteauth/core/endpoints'

/** Whether a page calls a server function: its script, or a form of it where there is no script. */
export function isFunctionCall({ headers, url }: Request): boolean {
  return headers.has('x-server-id') || /\/_server\/?$/.test(new URL(url).pathname)
}

/**
 * A call as what it stands for: somebody did something on a page. If they have to sign in, they come back to that
 * page, and not to the address of the function.
 */
export function asForm({ url, headers }: Request): SentRequest {
  const ofPage = new Headers(headers)
  ofPage.set('accept', 'text/html')
  return { method: 'POST', url, headers: ofPage, body: null }
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
