import type { SetCookie } from './cookies.ts'

/** The response of a flow. Each framework decides how to write it. */
export type Outgoing = RedirectAnswer | JsonAnswer | PageAnswer | FrameAnswer | AssetAnswer

/** Sends the visitor to a URL. */
export interface RedirectAnswer {
  readonly kind: 'redirect'
  readonly to: string
  readonly cookies: readonly SetCookie[]
  /** If the visitor has to wait, in how many seconds to try again. */
  readonly retryAfter?: number
}

export interface JsonAnswer {
  readonly kind: 'json'
  readonly status: number
  readonly body: unknown
  readonly cookies: readonly SetCookie[]
  /** The methods that would be answered, where this one is not. */
  readonly allow?: readonly string[]
  /** If the visitor has to wait, in how many seconds to try again. */
  readonly retryAfter?: number
}

export interface PageAnswer {
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
export interface FrameAnswer {
  readonly kind: 'frame'
  /** The origin that may show it. */
  readonly ancestor: string
  readonly cookies: readonly SetCookie[]
}

/** A file under a name that stands for its content: it can be stored permanently. */
export interface AssetAnswer {
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
export function redirect(to: string, cookies: readonly SetCookie[] = []): RedirectAnswer {
  return { kind: 'redirect', to, cookies }
}

/** Responds to a program. */
export function json(
  body: unknown,
  status: number = 200,
  cookies: readonly SetCookie[] = [],
): JsonAnswer {
  return { kind: 'json', status, body, cookies }
}

/** Shows a page. */
export function page(
  rendered: RenderedPage,
  status: number = 200,
  cookies: readonly SetCookie[] = [],
): PageAnswer {
  return { kind: 'page', status, page: rendered, cookies }
}

/** Responds to a frame of another site. */
export function frame(ancestor: string): FrameAnswer {
  return { kind: 'frame', ancestor, cookies: [] }
}

/** Hands out a file that never changes. */
export function asset(text: string, type: string): AssetAnswer {
  return { kind: 'asset', text, type, cookies: [] }
}
