import { type AuthCalls, deriveCalls } from '@siteauth/core/integration'
import { lazily } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { assertObject } from './application/applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { AuthInstance } from './auth-instance.ts'
import type { Middleware, ServerRequest } from './express.ts'
import { ServerAuth } from './server-auth.ts'
import { promiseSession } from './session/get-session.ts'
import { requireSession } from './session/require-session.ts'
import { createSessionMiddleware } from './session/session-middleware.ts'

// With the first call: reading a session needs none of it.
const calls = lazily(() => import('./call-by-name.ts'))

/**
 * Sets up the library for one application, on Express 4 or 5. The configuration is never modified.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/express'
 * import express from 'express'
 *
 * const auth = SiteAuth({ providers: [GitHub] })
 *
 * const app = express()
 * app.use('/auth', auth.handler)
 * app.get('/', auth.sessionMiddleware, (_req, res) => {
 *   res.type('text').send(`Hello, ${res.locals.session?.user?.name ?? 'stranger'}`)
 * })
 * app.get('/account', auth.requireSession({ redirectTo: '/login' }), (_req, res) => {
 *   res.json(res.locals.session.user)
 * })
 * app.post('/logout', (req, _res, next) => {
 *   auth.signOut(req, { redirectTo: '/' }).catch(next)
 * })
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): AuthInstance<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>
  type Auth = AuthInstance<Seen>

  assertObject('SiteAuth', config)
  let handler: Middleware | undefined

  return {
    ...deriveCalls<AuthCalls<[req: ServerRequest], string, Seen>>(async (name, args) =>
      calls(({ callByName }) => callByName(name, args, config)),
    ),
    // As it is, because most requests only need the session.
    getSession: req => promiseSession<Seen>(req, config, req.res),
    // Made when it is asked for: an application that never does has not mounted the endpoints.
    get handler() {
      handler ??= ServerAuth(config)
      return handler
    },
    // The types say what the application's own callbacks return.
    sessionMiddleware: createSessionMiddleware(config) as Auth['sessionMiddleware'],
    requireSession: ((options: object) =>
      requireSession(config, options)) as Auth['requireSession'],
  }
}
