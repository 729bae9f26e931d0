import { createIntegration, type RequireSessionOptions } from '@siteauth/core/integration'
import { callOrMiddleware, hasMalformedHost } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { isDataRequest } from './data-request.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import type { ReactRouterAuth, ReactRouterAuthConfig, RequiredExcept } from './react-router-auth.ts'
import type { RouteArgs, RouteMiddleware } from './route.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/react-router'
 *
 * // app/auth.server.ts
 * export const auth = SiteAuth({ providers: [GitHub] })
 *
 * // app/root.tsx
 * export const middleware = [auth.middleware]
 *
 * // app/routes/auth.ts, which app/routes.ts has at route('auth/*', 'routes/auth.ts')
 * export const loader = auth.loader
 * export const action = auth.action
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ReactRouterAuthConfig<Token, Sess, Exposed>,
): ReactRouterAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config)

  async function handle(args: RouteArgs): Promise<Response> {
    // Somebody followed a <Link> to one of our pages, which only the browser itself can show.
    const { method, headers } = args.request
    const isLink = isDataRequest(args) && method === 'GET' && !hasMalformedHost(headers)
    if (!isLink) return integration.handle(args)
    // Browsers read two slashes as the start of a host.
    const path = args.url.pathname.replace(/^\/+/, '/')
    return integration.redirect(args, path + args.url.search)
  }

  async function requireIn(args: RouteArgs, options?: RequireSessionOptions<Seen>): Promise<Seen> {
    const { session, denial } = await integration.guard(args, options)
    if (denial) throw denial.response
    return session
  }

  function requireInFront(options: RequiredExcept<Seen>): RouteMiddleware {
    const guard = integration.createGuard(options)
    return async (args, next) => {
      const { denial } = await guard(args)
      if (!denial) return next()
      // The script cannot read our pages: what is thrown is for the nearest ErrorBoundary.
      if (isDataRequest(args) && !denial.response.headers.has('location')) throw denial.response
      return denial.response
    }
  }

  return {
    ...integration.calls,
    middleware: (args, next) =>
      framework.finish(args, () => (integration.handles(args) ? handle(args) : next())),
    loader: handle,
    action: handle,
    requireSession: callOrMiddleware(requireIn, requireInFront),
  }
}
