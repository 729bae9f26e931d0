import type {
  AuthorizationParams,
  BoundCalls,
  BoundConfig,
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
   * Lets only those pass who are signed in: for `createMiddleware().server()`, in the `server.middleware` of a
   * route. People are sent to sign in, with `callbackUrl` saying where they were; programs get 401. Whoever `allow`
   * refuses gets 403, and everybody 503 while the store is down.
   */
  requireSession(options?: GuardOptions<Sess>): RequestMiddleware
  /**
   * The session of whoever is signed in, for one handler or server function. Everybody else is turned away as by
   * `requireSession`: it throws the response. Where the script of a page calls the function, visitors are sent to
   * sign in and come back to that page; where they may not, the call rejects.
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
