import { lazily } from '../base/awaitable.ts'
import type { JWT, Session } from '../base/session.ts'
import type { ExposedSession } from '../base/session-types.ts'
import type { Platform } from '../config/sources.ts'
import { PRIVATE } from '../http/cache-control.ts'
import { hasMalformedHost } from '../http/host-header.ts'
import { parsePath } from '../http/parse-path.ts'
import { applicationFinder } from './application.ts'
import type { FrameworkAdapter } from './framework-adapter.ts'
import { createGuard } from './guard.ts'
import type { Integration, IntegrationConfig } from './integration.ts'
import { createCalls } from './integration-calls.ts'
import { createRequestSession } from './request-session.ts'

// Most requests only ask who they are from.
const endpoints = lazily(() => import('../endpoints/respond.ts'))

/**
 * Sets up the library in a framework, for one application: the endpoints, sessions, guards and calls follow from the
 * framework adapter.
 *
 * @example
 * ```ts
 * import { createIntegration, type FrameworkAdapter, pendingChanges, toResponse } from '@siteauth/core/integration'
 * import GitHub from '@siteauth/core/providers/github'
 *
 * const changes = pendingChanges<Request>()
 * const host: FrameworkAdapter<Request, Response> = {
 *   request: request => request,
 *   change: changes.add,
 *   respond: (_request, response) => toResponse(response),
 * }
 * const auth = createIntegration(host, { providers: [GitHub] })
 *
 * export async function respond(request: Request): Promise<Response> {
 *   if (auth.handles(request)) return auth.handle(request)
 *   const { session, denial } = await auth.guard(request)
 *   if (denial) return denial.response
 *   return changes.applyTo(request, new Response(`Hello, ${session.user?.name}`))
 * }
 * ```
 */
export function createIntegration<
  Context extends object,
  FrameworkResponse,
  Token = JWT,
  Sess = Session,
  Exposed extends string = never,
  Redirected = FrameworkResponse,
>(
  host: FrameworkAdapter<Context, FrameworkResponse, Redirected>,
  config: IntegrationConfig<Context, Token, Sess, Exposed>,
  platform: Omit<Platform, 'env'> = {},
): Integration<Context, ExposedSession<Sess, Exposed, Token>, FrameworkResponse, Redirected> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const applicationOf = applicationFinder(host, config, platform)
  const requests = createRequestSession(host, applicationOf)

  async function redirect(context: Context, url: string): Promise<FrameworkResponse> {
    const headers = { Location: url, 'Cache-Control': PRIVATE }
    return host.respond(context, { status: 303, headers, setCookies: [], body: null })
  }

  return {
    basePath: context => applicationOf(context).siteAddress.paths.route,
    handles(context) {
      const { paths } = applicationOf(context).siteAddress
      const { url, headers } = host.request(context)
      if (hasMalformedHost(headers)) return true
      // Both paths end with the route. Most requests are for pages, and parsing a URL takes its time.
      if (!url.includes(paths.route)) return false
      return parsePath(new URL(url).pathname, [paths.public, paths.route]) !== null
    },
    async handle(context, request = host.request(context)) {
      const resolved = await applicationOf(context).loader.complete()
      return host.respond(context, await endpoints(({ respondTo }) => respondTo(resolved, request)))
    },
    redirect,
    ...createGuard<Context, Seen, FrameworkResponse>(host, applicationOf, requests),
    ...createCalls<Context, Seen, FrameworkResponse, Redirected>(
      host,
      applicationOf,
      requests,
      redirect,
    ),
  }
}
