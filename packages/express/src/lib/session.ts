import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { Middleware, SessionLocals, WithLocals } from './express.ts'
import { passSession } from './pass-session.ts'
import { rejectMalformedHost } from './reject-host.ts'

/**
 * Puts the session, or null, on `res.locals.session` for handlers and templates. Renews it when it
 * is due.
 *
 * @example
 * ```ts
 * import { session } from '@siteauth/express'
 * import express from 'express'
 *
 * const app = express()
 * app.get('/', session({ providers: [] }), (_req, res) => {
 *   res.type('text').send(`Hello, ${res.locals.session?.user?.name ?? 'stranger'}`)
 * })
 * ```
 */
export function session<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Middleware<WithLocals<SessionLocals<SeenSession<Sess, Exposed, Token> | null>>> {
  return (req, res, next) => {
    if (rejectMalformedHost(req, res)) return
    return passSession(req, res, config, next, everybody)
  }
}

function everybody(): boolean {
  return true
}
