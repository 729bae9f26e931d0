import type { AuthConfig } from '@siteauth/core'
import type {
  AuthorizationParams,
  BoundCalls,
  FrontGuardOptions,
  SignInOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
} from 'fastify'

/** What an application decides. */
export type FastifyAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = AuthConfig<Token, Sess, Exposed>

/** The library, set up for one application. The other calls take a request as well. */
export interface FastifyAuth<Sess = Session> extends BoundCalls<FastifyRequest, Sess> {
  /**
   * Has the endpoints, at the base path, and puts cookies on the answers of the application. Register it once,
   * before the routes: `await app.register(auth.plugin)`.
   */
  readonly plugin: FastifyPluginAsync
  /**
   * A `preHandler` that lets a request through if a user is signed in. People are sent to sign in, with `callbackUrl`
   * naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the
   * store is down. As a hook for many routes, it exempts the routes in `except`, written as they are registered.
   */
  requireSession(options?: FrontGuardOptions<Sess>): preHandlerAsyncHookHandler
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read.
   */
  getSession(request: FastifyRequest): Promise<Sess | null>
  /**
   * Signs someone in from your own handler, which returns the reply: it sends the visitor to the provider, to
   * the sign-in page if none is named, or, with credentials, to where they wanted to be. Throws an `AuthError`
   * if the sign-in fails.
   */
  signIn(
    request: FastifyRequest,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ): Promise<FastifyReply>
  /** Signs the visitor out from your own handler, which returns the reply. */
  signOut(
    request: FastifyRequest,
    options?: { readonly redirectTo?: string | undefined },
  ): Promise<FastifyReply>
}
