import type { Session } from '@siteauth/core/types'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Where a request keeps the session that a guard has found. */
const SESSION: unique symbol = Symbol('session')

interface Guarded {
  [SESSION]?: unknown
}

/** Where an application counts the plugins of this package that it has. Those below a prefix see the same. */
const PLUGINS: unique symbol = Symbol('plugins')

interface Counting {
  [PLUGINS]?: number
}

/** Notes the session of a user whom a guard has let through. */
export function noteSession(request: FastifyRequest & Guarded, session: unknown): void {
  request[SESSION] = session
}

/**
 * Adds `request.session`. It throws where no guard has run, so that it is never null. If a package for sessions of another
 * kind has the name already, it keeps it.
 */
export function decorateRequests(app: FastifyInstance & Counting): void {
  app[PLUGINS] = (app[PLUGINS] ?? 0) + 1
  if (app.hasRequestDecorator('session')) return
  app.decorateRequest('session', {
    getter(this: FastifyRequest & Guarded): Session {
      // The session could be of the other configuration, whose guard is in front.
      if (Number((this.server as Counting)[PLUGINS]) > 1) throw new TypeError(SEVERAL)
      const session = this[SESSION] as Session | undefined // noted by a guard
      if (session) return session
      throw new TypeError(NOT_GUARDED)
    },
  })
}

const SEVERAL =
  'request.session is for applications with one configuration of SiteAuth, and this one has several. Call ' +
  'getSession(request) of the one that is meant.'

const NOT_GUARDED =
  'request.session is for routes behind auth.requireSession(). Add it as a preHandler, or call auth.getSession(request), ' +
  'which returns null if the visitor is not signed in.'
