import { PRIVATE } from './cache-control.ts'
import { serializeCookie } from './cookie-text.ts'
import type { SetCookie } from './cookies.ts'
import type { Outgoing } from './response.ts'

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
  'Cache-Control': PRIVATE,
  Expires: '0',
  Pragma: 'no-cache',
  'X-Content-Type-Options': 'nosniff',
}

// Independent of the visitor, and another content has another name. Only pages of this origin can use it.
const forEver = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

const EMPTY_PAGE = '<!doctype html><title></title>'

/** An answer as it goes over the wire. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Values for `Set-Cookie` headers. */
  readonly setCookies: readonly string[]
  readonly body: string | null
}

/** Writes an answer for the wire. */
export function toWire(outgoing: Outgoing): WireResponse {
  const headers = headersOf(outgoing)
  const setCookies = outgoing.kind === 'asset' ? [] : outgoing.cookies.map(serializeCookie)
  switch (outgoing.kind) {
    case 'redirect': {
      const location = { ...headers, Location: outgoing.to }
      return { status: 302, headers: location, setCookies, body: null }
    }
    case 'json':
      return { status: outgoing.status, headers, setCookies, body: textOf(outgoing.body) }
    case 'page':
      return { status: outgoing.status, headers, setCookies, body: outgoing.page.html }
    case 'frame':
      return { status: 200, headers, setCookies, body: EMPTY_PAGE }
    case 'asset':
      return { status: 200, headers, setCookies, body: outgoing.text }
  }
}

/**
 * Writes an answer for a script that cannot follow redirects: where to go stands in the body.
 * Everything else about the answer stays.
 */
export function toClientWire(outgoing: Outgoing): WireResponse {
  const wire = toWire(outgoing)
  if (outgoing.kind !== 'redirect') return wire
  const headers = { ...wire.headers, ...waiting(outgoing), 'Content-Type': 'application/json' }
  const status = outgoing.retryAfter === undefined ? 200 : 429
  return { ...wire, status, headers, body: JSON.stringify({ url: outgoing.to }) }
}

/** Writes an answer as a `Response`. */
export function toResponse({ status, headers, setCookies, body }: WireResponse): Response {
  const all = new Headers(headers)
  for (const line of setCookies) all.append('Set-Cookie', line)
  return new Response(body, { status, headers: all })
}

/** Writes an answer as plain data. */
export function toInternal(outgoing: Outgoing): ResponseInternal {
  const cookies = [...outgoing.cookies]
  const headers = new Headers(headersOf(outgoing))
  switch (outgoing.kind) {
    case 'redirect':
      return { status: 302, headers, redirect: outgoing.to, cookies }
    case 'json':
      return { status: outgoing.status, headers, body: outgoing.body, cookies }
    case 'page':
      return { status: outgoing.status, headers, body: outgoing.page.html, cookies }
    case 'frame':
      return { status: 200, headers, body: EMPTY_PAGE, cookies }
    case 'asset':
      return { status: 200, headers, body: outgoing.text, cookies }
  }
}

function headersOf(outgoing: Outgoing): Record<string, string> {
  if (outgoing.kind === 'asset') return { ...forEver, 'Content-Type': outgoing.type }
  const headers: Record<string, string> = { ...common }
  if ('allow' in outgoing && outgoing.allow) headers['Allow'] = outgoing.allow.join(', ')
  // Of a redirect, it would say when to follow it.
  if (outgoing.kind === 'json' || outgoing.kind === 'page')
    Object.assign(headers, waiting(outgoing))
  if (outgoing.kind === 'page') {
    headers['Content-Type'] = 'text/html; charset=utf-8'
    headers['Content-Security-Policy'] = outgoing.page.contentSecurityPolicy
    headers['X-Frame-Options'] = 'DENY'
    // Not `no-referrer`: browsers would then send forms with `Origin: null`, and the check that a
    // form comes from this very site would have nothing to go by.
    headers['Referrer-Policy'] = 'same-origin'
  } else {
    headers['Referrer-Policy'] = 'no-referrer'
    if (outgoing.kind === 'frame') {
      headers['Content-Type'] = 'text/html; charset=utf-8'
      headers['Content-Security-Policy'] =
        `default-src 'none'; frame-ancestors ${outgoing.ancestor}`
    }
    if (outgoing.kind === 'json' && outgoing.body !== undefined) {
      headers['Content-Type'] = 'application/json'
    }
  }
  return headers
}

function waiting({ retryAfter }: { readonly retryAfter?: number }): Record<string, string> {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
}

function textOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body)
}
