import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { AstroContext } from './astro-context.ts'

/**
 * The configuration of an application, or a function that makes one of the first request: on some platforms, stores
 * come with requests.
 */
export type AstroAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = IntegrationConfig<AstroContext, Token, Sess, Exposed>

/** Options by which `requireSession` is a guard in front of many routes, rather than a call in one. */
export interface RequiredExcept<Sess = Session> extends RequireSessionMiddlewareOptions<Sess> {
  readonly except: readonly string[]
}

/**
 * The library, set up for one application. Everything takes a context: that of middleware, endpoints and actions,
 * or `Astro` on pages.
 */
export interface AstroAuth<Sess = Session>
  extends AuthCalls<[context: AstroContext], Response, Sess> {
  /**
   * Answers requests to the endpoints, puts cookies on all other answers, and `auth` on `locals`. Export it from
   * `src/middleware.ts`, before your own: `sequence(auth.onRequest, yours)`.
   */
  onRequest(context: AstroContext, next: () => Promise<Response>): Promise<Response>
  /**
   * The endpoints, as a route: export it as `ALL` from `src/pages/auth/[...siteauth].ts`, together with
   * `prerender = false`.
   */
  endpoint(context: AstroContext): Promise<Response>
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read. The same as `Astro.locals.auth()`, with the types of your
   * configuration. Null for everybody on prerendered pages.
   */
  getSession(context: AstroContext): Promise<Sess | null>
  /**
   * Resolves with the session if a user is signed in, else with a response, which you return. People are sent to sign
   * in, with `callbackUrl` naming the page to return to; programs and server islands get 401. Users that `allow` rejects
   * get 403, and everybody gets 503 while the store is down. For pages, endpoints, actions and middleware. Throws on
   * prerendered pages, which are shown to everybody.
   *
   * @example
   * ```ts
   * import { type AstroContext, SiteAuth } from '@siteauth/astro'
   *
   * const auth = SiteAuth({ providers: [] })
   *
   * export async function GET(context: AstroContext): Promise<Response> {
   *   const session = await auth.requireSession(context)
   *   if (session instanceof Response) return session
   *   return Response.json(session.user)
   * }
   * ```
   */
  requireSession(
    context: AstroContext,
    options?: RequireSessionOptions<Sess>,
  ): Promise<Sess | Response>
  /**
   * The same as middleware in front of all routes: `sequence(auth.onRequest, auth.requireSession({ except: ['/login'] }))`.
   * `except` names the routes that it exempts, as in `context.routePattern`; pass an empty list if there are none. Actions
   * are not exempt at any route, and prerendered pages are for everybody.
   */
  requireSession(
    options: RequiredExcept<Sess>,
  ): (context: AstroContext, next: () => Promise<Response>) => Promise<Response>
}
