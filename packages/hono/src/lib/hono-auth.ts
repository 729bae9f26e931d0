import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionMiddlewareOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { Context, MiddlewareHandler } from 'hono'

/**
 * The configuration of an application, or a function that makes one of the first request: on Cloudflare Workers,
 * stores come with requests.
 */
export type HonoAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = IntegrationConfig<Context, Token, Sess, Exposed>

/** What the middleware adds to a context: `c.var.session`. */
export interface SessionEnv<Maybe = Session | null> {
  Variables: { session: Maybe }
}

/** The library, set up for one application. The other calls take a context as well. */
export interface HonoAuth<Sess = Session> extends AuthCalls<[c: Context], Response, Sess> {
  /**
   * Answers requests to the endpoints, and lets all others pass. Mount it for all paths: `app.use(auth.handler)`.
   * Whatever is called further in then sets its cookies on the final answer, and no cache keeps that.
   */
  readonly handler: MiddlewareHandler
  /** Puts the session, or null, on `c.var.session`. Renews it when it is due. */
  readonly sessionMiddleware: MiddlewareHandler<SessionEnv<Sess | null>>
  /**
   * Middleware that lets a request through if a user is signed in, and puts the session on `c.var.session`. People are
   * sent to sign in, with `callbackUrl` naming the page to return to; programs get 401. Users that `allow` rejects get
   * 403, and everybody gets 503 while the store is down.
   */
  requireSession(
    options?: RequireSessionMiddlewareOptions<Sess> & { readonly except?: never },
  ): MiddlewareHandler<SessionEnv<Sess>>
  /** The same in front of many routes. For the paths in `except`, it does nothing. */
  requireSession(
    options: RequireSessionMiddlewareOptions<Sess> & { readonly except: readonly string[] },
  ): MiddlewareHandler<SessionEnv<Sess | undefined>>
}
