import { createIntegration, type RequireSessionMiddlewareOptions } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { MiddlewareHandler } from 'hono'
import { assertMounted } from './assert-mounted.ts'
import type { HonoAuth, HonoAuthConfig, SessionEnv } from './hono-auth.ts'
import { createHost } from './hono-host.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/hono'
 * import { Hono } from 'hono'
 *
 * const auth = SiteAuth({ providers: [GitHub] })
 *
 * const app = new Hono()
 * app.use(auth.handler)
 * app.get('/', auth.sessionMiddleware, c => c.text(`Hello, ${c.var.session?.user?.name ?? 'stranger'}`))
 * app.get('/account', auth.requireSession(), c => c.json(c.var.session.user))
 * app.post('/logout', c => auth.signOut(c, { redirectTo: '/' }))
 *
 * export default app
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: HonoAuthConfig<Token, Sess, Exposed>,
): HonoAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const host = createHost()
  const bound = createIntegration(host, config)

  function requireSession(
    options?: RequireSessionMiddlewareOptions<Seen>,
  ): MiddlewareHandler<SessionEnv<Seen>> {
    const guard = bound.createGuard(options)
    return (c, next) =>
      host.answerAfter(c, next, async () => {
        const { session, denial } = await guard(c)
        if (session) c.set('session', session)
        return denial?.answer
      })
  }

  return {
    ...bound.calls,
    handler: (c, next) =>
      host.answerAfter(c, next, async () => {
        if (bound.handles(c)) return bound.handle(c)
        assertMounted(c, bound.basePath(c))
        return undefined
      }),
    sessionMiddleware: (c, next) =>
      host.answerAfter(c, next, async () => {
        c.set('session', await bound.calls.getSession(c))
        return undefined
      }),
    // Its options say whether there may be no session.
    requireSession: requireSession as HonoAuth<Seen>['requireSession'],
  }
}
