import type { Session } from '@siteauth/core/types'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Where a request keeps the session that a guard has found. */
const SESSION: unique symbol = Symbol('session')

interface Guarded {
  [SESSION]?: unknown
}

/** Notes the session of a user whom a guard has let through. */
export function noteSession(request: FastifyRequest & Guarded, session: unknown): void {
  request[SESSION] = session
}

/**
 * Adds `request.session`. It throws where no guard has run, so that it is never null. If a package for sessions of another
 * kind has the name already, it keeps it.
 */
export function decorateRequests(app: FastifyInstance): void {
  if (app.hasRequestDecorator('session')) return
  app.decorateRequest('session', {
    getter(this: FastifyRequest & Guarded): Session {
      const session = this[SESSION] as Session | undefined // noted by a guard of this configuration
      if (session) return session
      throw new TypeError(NOT_GUARDED)
    },
  })
}

const NOT_GUARDED =
  'request.session is for routes behind auth.requireSession(). Add it as a preHandler, or call auth.getSession(request), ' +
  'which returns null if the visitor is not signed in.'
