import type { ServerResponse } from 'node:http'
import type { Session } from '@siteauth/core/types'

/** The configuration by which the session on `res.locals` was read. */
const source: unique symbol = Symbol('source of the session')

interface Locals {
  session?: unknown
  [source]?: object | undefined
}

/** A response that Express made has locals. */
type LocalsResponse = ServerResponse & { readonly locals?: Locals }

/**
 * Puts a session where handlers and templates find it. It is for them alone: the application may write
 * there, so nothing is decided by it. What the application made of the same session stays.
 */
export function setLocalSession(
  res: LocalsResponse,
  config: object,
  session: Session | null,
): void {
  const { locals } = res
  if (!locals) return
  if (locals[source] === config && locals.session && session) return
  locals.session = session
  locals[source] = config
}

/** After someone signed in or out, what is there is of someone else. */
export function forgetLocalSession({ locals }: LocalsResponse): void {
  if (locals) locals[source] = undefined
}
