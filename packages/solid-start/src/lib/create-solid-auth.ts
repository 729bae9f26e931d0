import {
  type AuthCalls,
  createIntegration,
  deriveCalls,
  type RequireSessionMiddlewareOptions,
  type RequireSessionOptions,
} from '@siteauth/core/integration'
import { isUserCall } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { currentEvent } from './current-event.ts'
import { getDefaultPath } from './default-path.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import { hideErrorDetails } from './hide-error-details.ts'
import { cachedEndpointsError, cachedPageError } from './is-cached-page.ts'
import { joinMiddleware } from './join-middleware.ts'
import type { SolidAuth, SolidAuthConfig } from './solid-auth.ts'
import type { MadeMiddleware, MiddlewareOptions, SolidEvent } from './solid-event.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * // src/auth.ts
 * import { SiteAuth } from '@siteauth/solid-start'
 * import GitHub from '@siteauth/core/providers/github'
 *
 * export const auth = SiteAuth({ providers: [GitHub] })
 *
 * // src/middleware.ts exports createMiddleware(auth.middleware), and app.config.ts names that file
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: SolidAuthConfig<Token, Sess, Exposed>,
): SolidAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config, getDefaultPath(config))

  /** Calls something for the request that the caller works for, whose answer waits for it. */
  async function call<Result>(run: (event: SolidEvent) => Promise<Result>): Promise<Result> {
    const event = currentEvent()
    if (framework.isCached(event)) throw cachedPageError(event)
    return hideErrorDetails(() => framework.during(event, () => run(event)))
  }

  const calls = deriveCalls<AuthCalls<[], Response, Seen>>((name, args) =>
    isUserCall(name)
      ? hideErrorDetails(() => integration.call(name, args))
      : call(event => integration.call(name, [event, ...args])),
  )

  async function endpoint(event: SolidEvent): Promise<Response> {
    framework.expect(event)
    if (framework.isCached(event)) throw cachedEndpointsError(integration.basePath(event))
    return integration.handle(event, framework.sent(event))
  }

  const check = (options?: RequireSessionOptions<Seen>) =>
    call(event => integration.guard(event, options))

  /** The middleware that guards the application, if it is wanted. */
  function guardOf(options: RequireSessionMiddlewareOptions<Seen> | undefined) {
    if (!options) return undefined
    const guard = integration.createGuard(options)
    return async (event: SolidEvent): Promise<Response | undefined> => {
      const { isExempt, denial } = await hideErrorDetails(() => guard(event))
      if (!isExempt && framework.isCached(event)) throw cachedPageError(event)
      return denial?.response
    }
  }

  function middlewareWith<Event extends SolidEvent>({
    requireSession,
    ...own
  }: MiddlewareOptions<Event, Seen>): MadeMiddleware<Event> {
    const guard = guardOf(requireSession)
    const respond = async (event: SolidEvent) =>
      integration.handles(event) ? endpoint(event) : guard?.(event)
    return joinMiddleware(framework, respond, own)
  }

  return {
    ...calls,
    GET: endpoint,
    POST: endpoint,
    middleware: middlewareWith({}),
    middlewareWith,
    getSession: async () => (framework.isCached(currentEvent()) ? null : calls.getSession()),
    async requireSession(options) {
      const { session, denial } = await check(options)
      if (!denial) return session
      const { status, headers } = denial.response
      if (headers.has('location')) throw denial.response
      framework.responseOf(currentEvent()).status = status
      throw denialError(status)
    },
    async guard(options) {
      const { session, denial } = await check(options)
      return denial ? denial.response : session
    },
  }
}

/** An error for people: SolidStart sends all of it to the browser, and where it was thrown is nobody's business. */
function denialError(status: number): Error {
  const error = new Error(REASONS[status] ?? 'Refused')
  delete error.stack
  return Object.assign(error, { status, statusCode: status })
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
