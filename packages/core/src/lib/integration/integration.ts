import type { AuthCalls, CallName } from '../api/auth-calls.ts'
import type { JWT, Session } from '../base/session.ts'
import type { AuthConfig } from '../config/options.ts'
import type { SentRequest } from '../http/request.ts'

/**
 * The configuration: an object, or a function that makes one of the first request, on platforms on which stores and
 * variables come with requests. It is called once.
 */
export type IntegrationConfig<
  Context,
  Token = JWT,
  Sess = Session,
  Exposed extends string = never,
> = AuthConfig<Token, Sess, Exposed> | ((context: Context) => AuthConfig<Token, Sess, Exposed>)

/** Which users a guard lets through, and where it sends others. */
export interface RequireSessionOptions<Sess = Session> {
  /** The sign-in page: a path or a URL. Defaults to the configured one. */
  readonly redirectTo?: string | undefined
  /** Returns `true` for users who may pass. All others get 403. By default, every user may. */
  readonly allow?: ((session: Sess) => boolean | Promise<boolean>) | undefined
}

/** The options of a guard in front of several routes. */
export interface RequireSessionMiddlewareOptions<Sess = Session>
  extends RequireSessionOptions<Sess> {
  /**
   * The pages that visitors can see without a session: the sign-in page, if it is the application's own. `/login` is for GET and
   * HEAD, `POST /login` for a form that is sent there. Entries are compared byte for byte, without patterns. By default,
   * the guard exempts nothing. The endpoints need no exemption if they are mounted before the guard.
   */
  readonly except?: readonly string[] | undefined
}

/** The response to a request that a guard denied. */
export interface GuardDenial<FrameworkResponse> {
  readonly session?: never
  readonly isExempt?: never
  readonly denial: { readonly response: FrameworkResponse }
}

/** The result of a guard: the session of a user who may pass, or the response to a denied request. */
export type GuardResult<Sess, FrameworkResponse> =
  | { readonly session: Sess; readonly isExempt?: never; readonly denial?: never }
  | GuardDenial<FrameworkResponse>

/** The result of a guard for many routes. It has not read the session of an exempt request. */
export type MiddlewareGuardResult<Sess, FrameworkResponse> =
  | GuardResult<Sess, FrameworkResponse>
  | { readonly isExempt: true; readonly session?: never; readonly denial?: never }

/**
 * The library in one framework, for one application. Cookies are set on the answer by the time a promise
 * resolves, also where it rejects. A sign-in or sign-out is seen by the rest of the request.
 */
export interface Integration<
  Context extends object,
  Sess,
  FrameworkResponse,
  Redirected = FrameworkResponse,
> {
  /**
   * Whether `handle` has to answer a request in place of the application: the request is for one of the endpoints, or
   * its `Host` header is malformed.
   */
  handles(context: Context): boolean
  /**
   * The path below which the endpoints are, as requests arrive. Empty at the root.
   *
   * @param context needed where variables or the configuration come with requests
   */
  basePath(context?: Context): string
  /**
   * Answers a request to one of the endpoints, and one whose `Host` header is malformed.
   *
   * @param request where the body has to be waited for: the request with it
   */
  handle(context: Context, request?: SentRequest): Promise<FrameworkResponse>
  /**
   * Lets a request through if a user is signed in, whatever its path. People are sent to sign in, with `callbackUrl`
   * naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 if the
   * session cannot be read.
   */
  guard(
    context: Context,
    options?: RequireSessionOptions<Sess>,
  ): Promise<GuardResult<Sess, FrameworkResponse>>
  /** Creates a guard for many routes at once, with the routes that it exempts. */
  createGuard(
    options?: RequireSessionMiddlewareOptions<Sess>,
  ): (context: Context) => Promise<MiddlewareGuardResult<Sess, FrameworkResponse>>
  /** Redirects the visitor, such as to the URL that a call resolved with. */
  redirect(context: Context, url: string): Promise<FrameworkResponse>
  /**
   * Makes a call by its name, with the context of a request first: for frameworks that find the context by themselves, or
   * check it before.
   */
  call(name: CallName, args: readonly unknown[]): Promise<unknown>
  /** Every call of the library, with the context of a request first. */
  readonly calls: AuthCalls<[context: Context], Redirected, Sess>
}
