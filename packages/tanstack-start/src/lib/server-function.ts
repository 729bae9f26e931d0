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

/** The value to throw if a call is denied: a response other than a redirect would count as its result. */
export function asThrown(denial: Response): Response | Error {
  if (denial.headers.has('location')) return denial
  return new Error(denial.status === 403 ? 'Forbidden' : 'Service Unavailable')
}
