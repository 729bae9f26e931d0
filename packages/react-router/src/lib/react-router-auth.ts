import type {
  AuthorizationParams,
  BoundCalls,
  BoundConfig,
  FrontGuardOptions,
  GuardOptions,
  SignInOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { RouteArgs, RouteHandler, RouteMiddleware } from './route.ts'

/**
 * What an application decides, or a function that says it when the first request has come: on Cloudflare
 * Workers, stores are among what comes with requests.
 */
export type ReactRouterAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = BoundConfig<RouteArgs, Token, Sess, Exposed>

/** The library, set up for one application. Everything takes the arguments of a loader, an action or middleware. */
export interface ReactRouterAuth<Sess = Session> extends BoundCalls<RouteArgs, Sess> {
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
   * Middleware, for a route and all below it, that lets a request through if a user is signed in. People are sent to sign
   * in, with `callbackUrl` naming the page to return to; programs get 401. Users that `allow` rejects get 403, and
   * everybody gets 503 while the store is down. It exempts the routes in `except`, as in `args.pattern`: `login`, or `/`
   * for the index.
   */
  requireSession(options?: FrontGuardOptions<Sess>): RouteMiddleware
  /**
   * The session of the user, in one loader or action. Other requests are denied as by `requireSession`: it throws the
   * response.
   */
  demandSession(args: RouteArgs, options?: GuardOptions<Sess>): Promise<Sess>
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read.
   */
  getSession(args: RouteArgs): Promise<Sess | null>
  /**
   * Signs someone in from your own action, which returns the response: it sends the visitor to the provider, to
   * the sign-in page if none is named, or, with credentials, to where they wanted to be. Throws an `AuthError` if
   * the sign-in fails.
   */
  signIn(
    args: RouteArgs,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ): Promise<Response>
  /** Signs the visitor out from your own action, which returns the response. */
  signOut(
    args: RouteArgs,
    options?: { readonly redirectTo?: string | undefined },
  ): Promise<Response>
}
