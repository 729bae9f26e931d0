import type { AuthEvent } from '../base/callbacks.ts'
import type { SetCookie } from './cookies.ts'

/** The response of a flow. Each framework decides how to write it. */
export type Outgoing =
  | OutgoingRedirect
  | OutgoingJson
  | OutgoingPage
  | OutgoingFrame
  | OutgoingAsset

/** Sends the visitor to a URL. */
export interface OutgoingRedirect {
  readonly kind: 'redirect'
  readonly to: string
  readonly cookies: readonly SetCookie[]
  /** The events that the flow has caused, in order. The function that ran the flow reports them. */
  readonly events?: readonly AuthEvent[]
  /** If the visitor has to wait, in how many seconds to try again. */
  readonly retryAfter?: number
}

export interface OutgoingJson {
  readonly kind: 'json'
  readonly status: number
  readonly body: unknown
  readonly cookies: readonly SetCookie[]
  /** As with a redirect. */
  readonly events?: readonly AuthEvent[]
  /** The methods that would be answered, where this one is not. */
  readonly allow?: readonly string[]
  /** If the visitor has to wait, in how many seconds to try again. */
  readonly retryAfter?: number
}

export interface OutgoingPage {
  readonly kind: 'page'
  readonly status: number
  readonly page: RenderedPage
  readonly cookies: readonly SetCookie[]
  /** The methods that would be answered, where this one is not. */
  readonly allow?: readonly string[]
  /** If the visitor has to wait, in how many seconds to try again. */
  readonly retryAfter?: number
}

/** An empty page in a frame of another site: the request was the notice. */
export interface OutgoingFrame {
  readonly kind: 'frame'
  /** The origin that may show it. */
  readonly ancestor: string
  readonly cookies: readonly SetCookie[]
}

/** A file under a name that stands for its content: it can be stored permanently. */
export interface OutgoingAsset {
  readonly kind: 'asset'
  readonly text: string
  readonly type: string
  readonly cookies: readonly SetCookie[]
}

/** A page, and what it may load and run. */
export interface RenderedPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** Sends the visitor elsewhere. */
export function redirect(to: string, cookies: readonly SetCookie[] = []): OutgoingRedirect {
  return { kind: 'redirect', to, cookies }
}

/** Responds to a program. */
export function json(
  body: unknown,
  status: number = 200,
  cookies: readonly SetCookie[] = [],
): OutgoingJson {
  return { kind: 'json', status, body, cookies }
}

/** Shows a page. */
export function page(
  rendered: RenderedPage,
  status: number = 200,
  cookies: readonly SetCookie[] = [],
): OutgoingPage {
  return { kind: 'page', status, page: rendered, cookies }
}

/** Responds to a frame of another site. */
export function frame(ancestor: string): OutgoingFrame {
  return { kind: 'frame', ancestor, cookies: [] }
}

/** Hands out a file that never changes. */
export function asset(text: string, type: string): OutgoingAsset {
  return { kind: 'asset', text, type, cookies: [] }
}
