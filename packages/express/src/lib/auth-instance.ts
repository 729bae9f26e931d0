import type { AuthCalls } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { Middleware, ServerRequest, SessionLocals, WithLocals } from './express.ts'
import type { SessionRequest } from './session/read-session.ts'
import type { RequireSessionOptions } from './session/require-session.ts'

/**
 * The library, set up for one application. The calls take the request of a visitor. Their cookies go on the response that
 * Express keeps at `req.res`, so call them before the response begins. Calls that redirect send the response, and resolve
 * with the URL; with `redirect: false`, they only resolve.
 *
 * @example
 * ```ts
 * import { type AuthInstance, AuthError } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * export async function login(auth: AuthInstance, req: Request, res: Response): Promise<void> {
 *   try {
 *     const { name, password } = req.body
 *     await auth.signIn(req, 'credentials', { name, password, redirectTo: '/account' })
 *   } catch (error) {
 *     if (!(error instanceof AuthError)) throw error
 *     res.status(401).send('Wrong name or password.')
 *   }
 * }
 * ```
 */
export interface AuthInstance<Sess = Session>
  extends AuthCalls<[req: ServerRequest], string, Sess> {
  /**
   * The endpoints, as `ServerAuth` makes them. Mount it at any path: `app.use('/auth', auth.handler)`.
   */
  readonly handler: Middleware
  /** Puts the session, or null, on `res.locals.session` for handlers and templates. Renews it when it is due. */
  readonly sessionMiddleware: Middleware<WithLocals<SessionLocals<Sess | null>>>
  /**
   * Middleware for a route or a router that lets a request through if a user is signed in, and puts the session on
   * `res.locals.session`. People are sent to sign in, with `callbackUrl` naming the page to return to; programs get 401.
   * Users that `allow` rejects get 403.
   */
  requireSession(
    options?: RequireSessionOptions<Sess> & { readonly except?: never },
  ): Middleware<WithLocals<SessionLocals<Sess>>>
  /** The same in front of an application. For the paths in `except`, it does nothing. */
  requireSession(
    options: RequireSessionOptions<Sess> & { readonly except: readonly string[] },
  ): Middleware<WithLocals<SessionLocals<Sess | undefined>>>
  /**
   * Returns the visitor's session, or null if the visitor is not signed in. Throws an `AuthError` if the session cannot be
   * read. Renews the session when it is due, unless the request has no response, as in a WebSocket upgrade. Several calls
   * for one request cost one read.
   */
  getSession(req: SessionRequest): Promise<Sess | null>
}
