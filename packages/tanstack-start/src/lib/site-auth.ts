import { createIntegration, type RequireSessionOptions } from '@siteauth/core/integration'
import { callOrMiddleware } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { RequestMiddleware } from './request-middleware.ts'
import { asThrown } from './server-function.ts'
import type { RequiredExcept, StartAuth, StartAuthConfig } from './start-auth.ts'
import { createHost } from './start-host.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/tanstack-start'
 *
 * export const auth = SiteAuth({ providers: [GitHub] })
 *
 * // src/start.ts has createMiddleware().server(auth.middleware) in its requestMiddleware
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: StartAuthConfig<Token, Sess, Exposed>,
): StartAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const host = createHost()
  const bound = createIntegration(host, config)

  async function requireIn(request: Request, options?: RequireSessionOptions<Seen>): Promise<Seen> {
    const { session, denial } = await bound.guard(request, options)
    if (denial) throw host.isFunctionCall(request) ? asThrown(denial.answer) : denial.answer
    return session
  }

  function requireInFront(options: RequiredExcept<Seen>): RequestMiddleware {
    const guard = bound.createGuard(options)
    return async ({ request, next }) => (await guard(request)).denial?.answer ?? next()
  }

  return {
    ...bound.calls,
    async middleware(args) {
      const { request } = args
      host.expect(args)
      return bound.handles(request) ? bound.handle(request, request) : host.finish(args)
    },
    requireSession: callOrMiddleware(requireIn, requireInFront),
  }
}
