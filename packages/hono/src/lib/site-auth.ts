import { createIntegration, type RequireSessionMiddlewareOptions } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { MiddlewareHandler } from 'hono'
import { assertMounted } from './assert-mounted.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import type { HonoAuth, HonoAuthConfig, SessionEnv } from './hono-auth.ts'

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

  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config)

  function requireSession(
    options?: RequireSessionMiddlewareOptions<Seen>,
  ): MiddlewareHandler<SessionEnv<Seen>> {
    const guard = integration.createGuard(options)
    return (c, next) =>
      framework.respondAfter(c, next, async () => {
        const { session, denial } = await guard(c)
        if (session) c.set('session', session)
        return denial?.response
      })
  }

  return {
    ...integration.calls,
    handler: (c, next) =>
      framework.respondAfter(c, next, async () => {
        if (integration.handles(c)) return integration.handle(c)
        assertMounted(c, integration.basePath(c))
        return undefined
      }),
    sessionMiddleware: (c, next) =>
      framework.respondAfter(c, next, async () => {
        c.set('session', await integration.calls.getSession(c))
        return undefined
      }),
    // Its options say whether there may be no session.
    requireSession: requireSession as HonoAuth<Seen>['requireSession'],
  }
}
