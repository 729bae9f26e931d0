import { PRIVATE } from '../http/cache-control.ts'
import type { WireResponse } from '../http/write-response.ts'
import type { Denial } from './decide-access.ts'

/** The facts that the response to a denied request depends on. */
export interface DeniedRequest {
  /** Whether a person waits for a page, rather than a program for data. */
  readonly wantsPage: boolean
  /** Where people sign in, with the page to return to. */
  readonly signInUrl: string
}

/** The response to a denied request: people are redirected to sign in, or told that they have no access. */
export function toDenial(denial: Denial, { wantsPage, signInUrl }: DeniedRequest): WireResponse {
  if (!wantsPage) {
    return denial === 'forbidden' ? denyProgram(403, 'Forbidden') : denyProgram(401, 'Unauthorized')
  }
  if (denial === 'forbidden') return forbiddenPage(signInUrl)
  const headers = { Location: signInUrl, 'Cache-Control': PRIVATE }
  return { status: 302, headers, setCookies: [], body: null }
}

/** The response if the session cannot be read. The user may still be signed in. */
export function unknownSession(wantsPage: boolean, status: 500 | 503): WireResponse {
  if (!wantsPage) {
    return denyProgram(status, status === 503 ? 'Service Unavailable' : 'Internal Server Error')
  }
  return textPage(status, 'The session could not be read. The server log says why.')
}

/** The response to a request whose `Host` header is malformed. */
export function malformedHost(): WireResponse {
  return textPage(400, 'The Host header is malformed.')
}

/** The response at the sign-in page if that page is itself behind the guard: redirects would never end. */
export function guardedSignInPage(): WireResponse {
  return textPage(508, 'This page redirects to itself. The server log says why.')
}

function textPage(status: number, body: string): WireResponse {
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'text/plain; charset=utf-8' }
  return { status, headers, setCookies: [], body }
}

function denyProgram(status: number, error: string): WireResponse {
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'application/json; charset=utf-8' }
  return { status, headers, setCookies: [], body: JSON.stringify({ error }) }
}

/** A page for a user who has no access, and may have another account that has. */
function forbiddenPage(signInUrl: string): WireResponse {
  const href = signInUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Forbidden</title>
<h1>You do not have access to this page</h1><p><a href="${href}">Sign in as someone else</a></p></html>`
  const headers = { 'Cache-Control': PRIVATE, 'Content-Type': 'text/html; charset=utf-8' }
  return { status: 403, headers, setCookies: [], body }
}
