import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is used of an Express request. Those of Express 4 and of Express 5 fit. */
export interface ServerRequest extends IncomingMessage {
  readonly baseUrl: string
  readonly originalUrl: string
  readonly path: string
  readonly protocol: string
  readonly app: { get(setting: string): unknown }
  accepts(types: string[]): string | false
  readonly body?: unknown
  readonly route?: unknown
  /** Express puts the response here. Requests that it has not seen, such as upgrades to WebSockets, have none. */
  readonly res?: ServerResponse | undefined
}

/** Hands a request on, or an error to the error handlers. */
export type Next = (error?: unknown) => void

/** A response whose `locals` have certain properties. */
export type WithLocals<Locals> = ServerResponse & { locals: Locals }

/**
 * What the middleware puts on `res.locals`. Pass it to Express's `Response` if the type cannot be inferred.
 *
 * @example
 * ```ts
 * import type { SessionLocals } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * export function home(_req: Request, res: Response<string, SessionLocals>): void {
 *   res.type('text').send(`Hello, ${res.locals.session?.user?.name ?? 'stranger'}`)
 * }
 * ```
 */
export interface SessionLocals<Maybe = import('@siteauth/core/types').Session | null> {
  session: Maybe
}

/** A middleware of Express 4 and 5. */
export type Middleware<Res = ServerResponse> = (
  req: ServerRequest,
  res: Res,
  next: Next,
) => void | Promise<void>
