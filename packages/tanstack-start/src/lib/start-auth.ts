import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { RequestMiddleware } from './request-middleware.ts'

/**
 * The configuration of an application, or a function that makes one of the first request: on Cloudflare Workers,
 * stores come with requests.
 */
export type StartAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = IntegrationConfig<Request, Token, Sess, Exposed>

/** Options by which `requireSession` is a guard in front of many routes, rather than a call in one. */
export interface RequiredExcept<Sess = Session> extends RequireSessionMiddlewareOptions<Sess> {
  readonly except: readonly string[]
}

/**
 * The library, set up for one application. Everything takes the request: the one that a handler is given, or
 * `getRequest()` in server functions.
 */
export interface StartAuth<Sess = Session> extends AuthCalls<[request: Request], Response, Sess> {
  /**
   * Answers requests to the endpoints, and puts cookies on all other answers. It is the first of `requestMiddleware`
   * in src/start.ts: `createMiddleware().server(auth.middleware)`.
   */
  readonly middleware: RequestMiddleware
  /**
   * Resolves with the session if a user is signed in, in one handler or server function. People are sent to sign in, with
   * `callbackUrl` naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets
   * 503 while the store is down: it throws the response. If the script of a page calls the function, visitors are sent to
   * sign in and return to that page; for users that `allow` rejects, the call rejects.
   */
  requireSession(request: Request, options?: RequireSessionOptions<Sess>): Promise<Sess>
  /**
   * The same as middleware, for `createMiddleware().server()`, in the `server.middleware` of a route, or in
   * `requestMiddleware` after `auth.middleware`: `auth.requireSession({ except: ['/login'] })`. It exempts the paths in
   * `except`, but not the server functions that those pages call; pass an empty list if there are none.
   */
  requireSession(options: RequiredExcept<Sess>): RequestMiddleware
}
