import { AuthError } from '@siteauth/core/errors'
import {
  createIntegration,
  type RequireSessionOptions,
  toResponse,
  type WireResponse,
} from '@siteauth/core/integration'
import { callOrMiddleware } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import { writeServerResponse } from '@siteauth/core/node'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { EventHandler, H3Event } from 'h3'
import { CONTEXT_KEY, type RenderedSessions } from '../rendered-sessions.ts'
import { noteArrivals } from './arrivals.ts'
import { canBeShownToOthers } from './can-be-shown-to-others.ts'
import { Denial } from './denial.ts'
import { createFrameworkAdapter } from './framework-adapter.ts'
import type { H3Auth, H3AuthConfig, RequiredExcept } from './h3-auth.ts'
import { removeErrorHeader } from './remove-error-header.ts'
import { ofNobody, requestWithBody } from './request-of.ts'

/**
 * Sets up the library for one application: in Nuxt, in Nitro, or in h3 alone.
 *
 * @example
 * ```ts
 * // server/utils/auth.ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/nuxt/server'
 *
 * export const auth = SiteAuth({ providers: [GitHub] })
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: H3AuthConfig<Token, Sess, Exposed>,
): H3Auth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const arrivals = noteArrivals()
  const framework = createFrameworkAdapter(arrivals)
  const integration = createIntegration(framework, config)
  let isPrerendering = false
  let expectedBasePath: string | undefined

  const isForEverybody = (event: H3Event) => isPrerendering || arrivals.isForEverybody(event)

  async function handler(event: H3Event): Promise<Response | undefined> {
    arrivals.note(event)
    // There are no variables yet, and nothing to sign in to.
    if (isPrerendering) return undefined
    if (expectedBasePath !== undefined)
      assertBasePath(integration.basePath(event), expectedBasePath)
    if (!integration.handles(event)) return undefined
    if (arrivals.isCachedAsIs(event))
      throw new Error(cachedEndpointsMessage(integration.basePath(event)))
    const request = await requestWithBody(event, arrivals.outermostOf(event))
    const received = arrivals.isPartOfCached(event) ? ofNobody(request) : request
    return toResponse(await integration.handle(event, received))
  }

  async function requireIn(event: H3Event, options?: RequireSessionOptions<Seen>): Promise<Seen> {
    if (isForEverybody(event)) throw new Error(cachedPageMessage(event))
    const { session, denial } = await integration.guard(event, options)
    return denial ? deny(event, denial.response) : session
  }

  function requireInFront(options: RequiredExcept<Seen>): EventHandler {
    const guard = integration.createGuard(options)
    return asHandler(async event => {
      // What is prerendered is shown to everybody, and no middleware runs for it later.
      if (isPrerendering) return undefined
      // Nitro runs the middleware of the application before that of modules, to which the endpoints belong.
      const response = await handler(event)
      if (response) return response
      const { isExempt, denial } = await guard(event)
      if (!isExempt && isForEverybody(event)) throw new Error(cachedPageMessage(event))
      return denial ? deny(event, denial.response) : undefined
    })
  }

  const rendered: RenderedSessions = {
    async sessionFor(event) {
      if (isForEverybody(event) || canBeShownToOthers(event)) return undefined
      try {
        const session = await integration.calls.getSession(event)
        framework.change(event, { setCookies: [], caching: 'never' })
        return asJson(session)
      } catch (error) {
        // The page can do without. The browser asks, and what is wrong is logged then.
        if (error instanceof AuthError) return undefined
        throw error
      }
    },
  }

  return {
    ...integration.calls,
    handler: asHandler(handler),
    plugin(nitro, options) {
      isPrerendering = options?.isPrerendering ?? false
      expectedBasePath = options?.basePath
      nitro.hooks.hook('request', event => {
        arrivals.note(event)
        removeErrorHeader(event, arrivals.outerOf(event) !== undefined)
        event.context[CONTEXT_KEY] = rendered
      })
    },
    async getSession(event) {
      return isForEverybody(event) ? null : integration.calls.getSession(event)
    },
    requireSession: callOrMiddleware(requireIn, requireInFront),
  }
}

/** The session as JSON can carry it: callbacks may add what cannot be written as that, which Nuxt rejects. */
function asJson<Sess>(session: Sess): Sess {
  return JSON.parse(JSON.stringify(session))
}

/** Responds to a request that a guard denies, and ends its handler. */
function deny(event: H3Event, response: WireResponse): never {
  // The error page of a page that everybody may see: Nuxt has one of its own, and a redirect would never end.
  if (event.path.startsWith('/__nuxt_error')) {
    throw new Denial(response.status < 400 ? 401 : response.status)
  }
  // People who may not see a page are shown the error page of the application.
  const isAnswered = 'Location' in response.headers || isForProgram(response.headers)
  if (isAnswered) writeServerResponse(event.node.res, response)
  throw new Denial(response.status)
}

/** Makes a handler as h3's own function does. */
function asHandler(handler: (event: H3Event) => Promise<unknown>): EventHandler {
  return Object.assign(handler, { __is_handler__: true as const })
}

function cachedPageMessage({ path }: H3Event): string {
  return (
    `${path} is prerendered or cached (routeRules, defineCachedEventHandler), so everybody would see it, and ` +
    'requireSession cannot keep anybody out. Take that rule away for this path.'
  )
}

function cachedEndpointsMessage(basePath: string): string {
  return (
    'The endpoints are cached (routeRules, defineCachedEventHandler), so one visitor would be given the session of ' +
    `another. Add the rule '${basePath}/**': { isr: false }, and mount auth.handler below no handler that is cached.`
  )
}

function isForProgram(headers: Readonly<Record<string, string>>): boolean {
  return /json/.test(headers['Content-Type'] ?? '')
}

function assertBasePath(actual: string, expected: string): void {
  if (actual === expected) return
  throw new TypeError(
    `The endpoints are at "${actual}", and pages expect them at "${expected}". Set siteauth: { basePath: '${actual}' } ` +
      `in nuxt.config.ts, or basePath: '${expected}' in the configuration of SiteAuth.`,
  )
}
