import type { SentRequest } from '@siteauth/core/integration'

/**
 * A call as what it stands for: somebody did something on a page. If they have to sign in, they come back to that
 * page, as after a form, and not to the address of the function.
 */
export function asForm({ url, headers }: Request): SentRequest {
  const ofPage = new Headers(headers)
  ofPage.set('accept', 'text/html')
  return { method: 'POST', url, headers: ofPage, body: null }
}

/** What to throw where a call is refused: a response other than a redirect would count as its result. */
export function asThrown(refusal: Response): Response | Error {
  if (refusal.headers.has('location')) return refusal
  return new Error(refusal.status === 403 ? 'Forbidden' : 'Service Unavailable')
}
