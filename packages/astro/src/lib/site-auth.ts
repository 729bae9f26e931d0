import {
  type AuthCalls,
  createIntegration,
  deriveCalls,
  type RequireSessionOptions,
} from '@siteauth/core/integration'
import { type CallName, callOrMiddleware, isUserCall } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { AstroAuth, AstroAuthConfig, RequiredExcept } from './astro-auth.ts'
import type { AstroContext } from './astro-context.ts'
import { rejectPrerendered, warnOfCachedPage, warnPrerendered } from './for-everybody.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import { orServerError } from './or-server-error.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * // src/auth.ts
 * import { SiteAuth } from '@siteauth/astro'
 * import GitHub from '@siteauth/core/providers/github'
 *
 * export const auth = SiteAuth({ providers: [GitHub] })
 *
 * // src/middleware.ts exports auth.onRequest, and src/pages/auth/[...siteauth].ts auth.endpoint as ALL
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: AstroAuthConfig<Token, Sess, Exposed>,
): AstroAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const framework = createFrameworkAdapter()
  const integration = createIntegration(framework, config, {
    defaultBasePath: `${siteBase()}/auth`,
  })

  async function getSession(context: AstroContext) {
    if (context.isPrerendered) {
      warnPrerendered(context)
      return null
    }
    if (framework.isForEverybody(context)) warnOfCachedPage(context)
    return framework.during(context, () => integration.calls.getSession(context))
  }

  async function requireIn(
    context: AstroContext,
    options?: RequireSessionOptions<Seen>,
  ): Promise<Seen | Response> {
    rejectPrerendered(context)
    if (framework.hasBegun?.(context)) throw new Error(TOO_LATE)
    const { session, denial } = await framework.during(context, () =>
      integration.guard(context, options),
    )
    return denial ? denial.response : session
  }

  function requireInFront(options: RequiredExcept<Seen>) {
    const guard = integration.createGuard(options)
    return async (context: AstroContext, next: () => Promise<Response>): Promise<Response> => {
      // Prerendered pages are shown to everybody, and no middleware runs for them later.
      if (context.isPrerendered) return next()
      const response = await orServerError(async () => {
        const { denial } = await framework.during(context, () => guard(context))
        return denial?.response
      })
      return response ?? next()
    }
  }

  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (isUserCall(name)) return integration.call(name, args)
    const context = args[0] as AstroContext // the list puts it first
    rejectPrerendered(context)
    return framework.during(context, () => integration.call(name, args))
  }

  return {
    ...deriveCalls<AuthCalls<[context: AstroContext], Response, Seen>>(call),
    getSession,
    async onRequest(context, next) {
      Object.assign(context.locals, { auth: () => getSession(context) })
      if (context.isPrerendered) return next()
      const response = await orServerError(async () => {
        framework.expect(context)
        return integration.handles(context) ? integration.handle(context) : undefined
      })
      return response ?? framework.respondAfter(context, next)
    },
    async endpoint(context) {
      rejectPrerendered(context)
      framework.expect(context)
      if (integration.handles(context)) return integration.handle(context)
      const basePath = integration.basePath(context)
      if (isBelow(siteBase() + context.routePattern, basePath)) {
        return new Response('Not found', { status: 404 })
      }
      throw new TypeError(
        `auth.endpoint is exported from the route "${context.routePattern}", and the endpoints are at "${basePath}". ` +
          'Move the file there, or set `basePath` in the configuration.',
      )
    },
    requireSession: callOrMiddleware(requireIn, requireInFront),
  }
}

/** `base` of Astro's configuration, below which all pages are, without the slash at its end. */
function siteBase(): string {
  return import.meta.env.BASE_URL.replace(/\/+$/, '')
}

function isBelow(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`)
}

const TOO_LATE =
  'The response has begun, so nobody can be turned away any more. Call requireSession on the page itself or in ' +
  'middleware, not in a component.'
