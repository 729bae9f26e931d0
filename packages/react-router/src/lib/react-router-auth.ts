import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { RouteArgs, RouteHandler, RouteMiddleware } from './route.ts'

/**
 * The configuration of an application, or a function that makes one of the first request: on Cloudflare Workers,
 * stores come with requests.
 */
export type ReactRouterAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = IntegrationConfig<RouteArgs, Token, Sess, Exposed>

/** Options by which `requireSession` is a guard in front of many routes, rather than a call in one. */
export interface RequiredExcept<Sess = Session> extends RequireSessionMiddlewareOptions<Sess> {
  readonly except: readonly string[]
}

/** The library, set up for one application. Everything takes the arguments of a loader, an action or middleware. */
export interface ReactRouterAuth<Sess = Session>
  extends AuthCalls<[args: RouteArgs], Response, Sess> {
  /**
   * Puts cookies on the answers of the application, and answers requests to the endpoints. The root route has it,
   * before all others: `export const middleware = [auth.middleware]`.
   */
  readonly middleware: RouteMiddleware
  /** The `loader` of the route that has the endpoints: `route('auth/*', 'routes/auth.ts')`. */
  readonly loader: RouteHandler
  /** The `action` of that route. */
  readonly action: RouteHandler
  /**
   * Resolves with the session if a user is signed in, in one loader or action. People are sent to sign in, with
   * `callbackUrl` naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets
   * 503 while the store is down: it throws the response.
   */
  requireSession(args: RouteArgs, options?: RequireSessionOptions<Sess>): Promise<Sess>
  /**
   * The same as middleware, for a route and all below it: `export const middleware = [auth.requireSession({ except: [] })]`.
   * `except` names the routes that it exempts, as in `args.pattern`: `login`, or `/` for the index.
   */
  requireSession(options: RequiredExcept<Sess>): RouteMiddleware
}
