import type { CookieJar } from './cookies.ts'

/** The endpoints, as they stand in the path. */
export const AUTH_ACTIONS = [
  'providers',
  'session',
  'sessions',
  'sessions/end',
  'accounts',
  'accounts/unlink',
  'access-token',
  'csrf',
  'signin',
  'signout',
  'signout/provider',
  'signout/return',
  'backchannel-logout',
  'frontchannel-logout',
  'callback',
  'verify-request',
  'error',
  'webauthn-options',
  'assets',
  'password',
  'password/sign-up',
  'password/forgot',
  'password/remove',
] as const

/** An endpoint, as it stands in the path. */
export type AuthAction = (typeof AUTH_ACTIONS)[number]

/** Whether a text names an endpoint. */
export function isAuthAction(action: string): action is AuthAction {
  return (AUTH_ACTIONS as readonly string[]).includes(action)
}

/** The fields of a query or of a body. The last of several with one name counts. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Headers, as far as they are read, by names in lower case. Those of the web will do; a server that has
 * others need not copy them.
 */
export interface SentHeaders extends Iterable<[string, string]> {
  get(name: string): string | null
  has(name: string): boolean
}

/** Where a request came from, as far as the server can tell. */
export interface Sender {
  /** The address of the visitor, where the settings of the server leave no doubt. */
  readonly address: string | undefined
  /** The peer, and behind it the addresses that each forwards for: the nearest first. */
  readonly hops: readonly string[]
  /** Whether another server has passed the request on, by any header. */
  readonly isForwarded?: boolean | undefined
}

/** The part of a request that is needed. One of the web's own works; a server without one need not create one. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: SentHeaders
  /** Bytes where all of it is there already. */
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null
  readonly bodyUsed?: boolean
  /** Known to servers that have a connection to the visitor or to a proxy. Few requests are asked. */
  readonly sender?: (() => Sender) | undefined
}

/** A request that was parsed: from here on nothing is raw. */
export interface ParsedRequest {
  readonly method: 'GET' | 'POST'
  /** Scheme, host and port that the visitor used, as far as they are to be believed. */
  readonly origin: string
  /** The URL that the visitor used. */
  readonly url: URL
  readonly query: Readonly<Record<string, string>>
  readonly body: Fields
  /** The body again if it is a form, with every field that came more than once. */
  readonly form: URLSearchParams
  readonly headers: SentHeaders
  readonly cookies: CookieJar
  readonly sender?: (() => Sender) | undefined
}

/** The headers of a request for the application, as the web's `Headers`. */
export function webHeaders(headers: SentHeaders): Headers {
  return headers instanceof Headers ? headers : new Headers([...headers])
}
