import { createIntegration } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { createPlugin } from './create-plugin.ts'
import type { FastifyAuth, FastifyAuthConfig } from './fastify-auth.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import { noteSession } from './guarded-session.ts'
import { stop } from './stop.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/fastify'
 * import Fastify from 'fastify'
 *
 * const auth = SiteAuth({ providers: [GitHub] })
 *
 * const app = Fastify({ trustProxy: 'loopback' }) // where a proxy terminates TLS
 * await app.register(auth.plugin)
 * app.get('/', async request => {
 *   const session = await auth.getSession(request)
 *   return `Hello, ${session?.user?.name ?? 'stranger'}`
 * })
 * app.get('/account', { preHandler: auth.requireSession() }, request => request.session.user)
 * app.post('/logout', request => auth.signOut(request, { redirectTo: '/' }))
 * await app.listen({ port: 3000 })
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: FastifyAuthConfig<Token, Sess, Exposed>,
): FastifyAuth<ExposedSession<Sess, Exposed, Token>> {
  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config)
  return {
    ...integration.calls,
    plugin: createPlugin(framework, integration),
    requireSession(options) {
      const guard = integration.createGuard(options)
      return async request => {
        const { session, denial } = await guard(request)
        if (denial) await stop()
        if (session) noteSession(request, session)
      }
    },
  }
}
