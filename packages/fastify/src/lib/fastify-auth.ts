import type { AuthConfig } from '@siteauth/core'
import type { AuthCalls, RequireSessionMiddlewareOptions } from '@siteauth/core/integration'
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
export interface FastifyAuth<Sess = Session>
  extends AuthCalls<[request: FastifyRequest], FastifyReply, Sess> {
  /**
   * Has the endpoints, at the base path, and puts cookies on the answers of the application. Register it once,
   * before the routes: `await app.register(auth.plugin)`.
   */
  readonly plugin: FastifyPluginAsync
  /**
   * A `preHandler` that lets a request through if a user is signed in, and puts the session on `request.session`. People are sent to sign in, with `callbackUrl`
   * naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the
   * store is down. As a hook for many routes, it exempts the routes in `except`, written as they are registered.
   */
  requireSession(options?: RequireSessionMiddlewareOptions<Sess>): preHandlerAsyncHookHandler
}
