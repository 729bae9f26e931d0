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
import type { RequestMiddleware } from './request-middleware.ts'

/**
 * What an application decides, or a function that says it when the first request has come: on Cloudflare
 * Workers, stores are among what comes with requests.
 */
export type StartAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = BoundConfig<Request, Token, Sess, Exposed>

/**
 * The library, set up for one application. Everything takes the request: the one that a handler is given, or
 * `getRequest()` in server functions.
 */
export interface StartAuth<Sess = Session> extends BoundCalls<Request, Sess> {
  /**
   * Answers requests to the endpoints, and puts cookies on all other answers. It is the first of `requestMiddleware`
   * in src/start.ts: `createMiddleware().server(auth.middleware)`.
   */
  readonly middleware: RequestMiddleware
  /**
   * Lets a request through if a user is signed in: for `createMiddleware().server()`, in the `server.middleware` of a
   * route, or in `requestMiddleware` after `auth.middleware`. People are sent to sign in, with `callbackUrl` naming the
   * page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the store is
   * down. It exempts the paths in `except`, but not the server functions that those pages call.
   */
  requireSession(options?: FrontGuardOptions<Sess>): RequestMiddleware
  /**
   * The session of the user, in one handler or server function. Other requests are denied as by `requireSession`: it
   * throws the response. If the script of a page calls the function, visitors are sent to sign in and return to that
   * page; for users that `allow` rejects, the call rejects.
   */
  demandSession(request: Request, options?: GuardOptions<Sess>): Promise<Sess>
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read.
   */
  getSession(request: Request): Promise<Sess | null>
  /**
   * Signs someone in from your own handler or server function, which returns the response: it sends the visitor to
   * the provider, to the sign-in page if none is named, or, with credentials, to where they wanted to be. Throws an
   * `AuthError` if the sign-in fails.
   */
  signIn(
    request: Request,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ): Promise<Response>
  /** Signs the visitor out from your own handler or server function, which returns the response. */
  signOut(
    request: Request,
    options?: { readonly redirectTo?: string | undefined },
  ): Promise<Response>
}
