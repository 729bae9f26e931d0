import { createIntegration, type RequireSessionOptions } from '@siteauth/core/integration'
import { callOrMiddleware } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { createFrameworkAdapter } from './framework-adapter.ts'
import type { RequestMiddleware } from './request-middleware.ts'
import { asThrown } from './server-function.ts'
import type { RequiredExcept, StartAuth, StartAuthConfig } from './start-auth.ts'

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

  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config)

  async function requireIn(request: Request, options?: RequireSessionOptions<Seen>): Promise<Seen> {
    const { session, denial } = await integration.guard(request, options)
    if (denial)
      throw framework.isFunctionCall(request) ? asThrown(denial.response) : denial.response
    return session
  }

  function requireInFront(options: RequiredExcept<Seen>): RequestMiddleware {
    const guard = integration.createGuard(options)
    return async ({ request, next }) => (await guard(request)).denial?.response ?? next()
  }

  return {
    ...integration.calls,
    async middleware(args) {
      const { request } = args
      framework.expect(args)
      return integration.handles(request)
        ? integration.handle(request, request)
        : framework.finish(args)
    },
    requireSession: callOrMiddleware(requireIn, requireInFront),
  }
}
