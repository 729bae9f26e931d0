import { serializeCookie } from './cookie-text.ts'
import type { SetCookie } from './cookies.ts'
import type { Outgoing } from './outgoing.ts'

/** An answer as plain data, for callers that want no `Response`. */
export interface ResponseInternal<Body = unknown> {
  status?: number
  headers?: Headers | HeadersInit
  body?: Body
  redirect?: string
  cookies?: SetCookie[]
}

// Everything here is about one visitor, so nothing may be kept by a cache in between.
const common = {
  'Cache-Control': 'private, no-cache, no-store',
  Expires: '0',
  Pragma: 'no-cache',
  'X-Content-Type-Options': 'nosniff',
}

// About nobody, and another content has another name. Only pages of this origin have a use for it.
const forEver = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Writes an answer as a `Response`. */
export function toResponse(outgoing: Outgoing): Response {
  switch (outgoing.kind) {
    case 'redirect': {
      const headers = headersOf(outgoing)
      headers.set('Location', outgoing.to)
      return new Response(null, { status: 302, headers })
    }
    case 'json': {
      const { status, body } = outgoing
      return new Response(textOf(body), { status, headers: headersOf(outgoing) })
    }
    case 'page': {
      const { status, page } = outgoing
      return new Response(page.html, { status, headers: headersOf(outgoing) })
    }
    case 'asset':
      return new Response(outgoing.text, { headers: headersOf(outgoing) })
  }
}

/**
 * Writes an answer for a script that cannot follow redirects: where to go stands in the body.
 * Everything else about the answer stays.
 */
export function toClientResponse(outgoing: Outgoing): Response {
  if (outgoing.kind !== 'redirect') return toResponse(outgoing)
  const headers = headersOf(outgoing)
  headers.set('Location', outgoing.to)
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify({ url: outgoing.to }), { status: 200, headers })
}

/** Writes an answer as plain data. */
export function toInternal(outgoing: Outgoing): ResponseInternal {
  const cookies = [...outgoing.cookies]
  const headers = headersOf({ ...outgoing, cookies: [] })
  switch (outgoing.kind) {
    case 'redirect':
      return { status: 302, headers, redirect: outgoing.to, cookies }
    case 'json':
      return { status: outgoing.status, headers, body: outgoing.body, cookies }
    case 'page':
      return { status: outgoing.status, headers, body: outgoing.page.html, cookies }
    case 'asset':
      return { status: 200, headers, body: outgoing.text, cookies }
  }
}

function headersOf(outgoing: Outgoing): Headers {
  if (outgoing.kind === 'asset') return new Headers({ ...forEver, 'Content-Type': outgoing.type })
  const headers = new Headers(common)
  for (const cookie of outgoing.cookies) headers.append('Set-Cookie', serializeCookie(cookie))
  if ('allow' in outgoing && outgoing.allow) headers.set('Allow', outgoing.allow.join(', '))
  if (outgoing.kind === 'page') {
    headers.set('Content-Type', 'text/html; charset=utf-8')
    headers.set('Content-Security-Policy', outgoing.page.contentSecurityPolicy)
    headers.set('X-Frame-Options', 'DENY')
    // Not `no-referrer`: browsers would then send forms with `Origin: null`, and the check that a
    // form comes from this very site would have nothing to go by.
    headers.set('Referrer-Policy', 'same-origin')
  } else {
    headers.set('Referrer-Policy', 'no-referrer')
    if (outgoing.kind === 'json' && outgoing.body !== undefined) {
      headers.set('Content-Type', 'application/json')
    }
  }
  return headers
}

function textOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body)
}
