import type { ServerResponse } from 'node:http'
import type { Session } from '@siteauth/core/types'

/** The configuration by which the session on `res.locals` was read. */
const source: unique symbol = Symbol('source of the session')

interface Locals {
  session?: unknown
  [source]?: object | undefined
}

/** Of a response that Express made. */
type Located = ServerResponse & { readonly locals?: Locals }

/**
 * The session that a middleware before has put on `res.locals`, with what the application has changed
 * about it since; undefined where there was none for this configuration.
 */
export function localSession(res: Located, config: object): Session | null | undefined {
  const { locals } = res
  return locals?.[source] === config ? (locals.session as Session | null) : undefined
}

/** Puts a session where handlers and templates find it. */
export function setLocalSession(res: Located, config: object, session: Session | null): void {
  const { locals } = res
  if (!locals) return
  locals.session = session
  locals[source] = config
}

/** After somebody signed in or out, it has to be read again. */
export function forgetLocalSession({ locals }: Located): void {
  if (locals) locals[source] = undefined
}
