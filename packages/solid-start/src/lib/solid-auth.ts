import type { AuthConfig } from '@siteauth/core'
import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { MadeMiddleware, MiddlewareOptions, SolidEvent } from './solid-event.ts'

/**
 * The configuration of an application, or a function that makes one of the first request: on some platforms, stores
 * come with requests.
 */
export type SolidAuthConfig<Token = JWT, Sess = Session, Exposed extends string = string> =
  | IntegrationConfig<SolidEvent, Token, Sess, Exposed>
  | (AuthConfig<Token, Sess, Exposed> & {
      /** Where the endpoints are.
       * @deprecated Use `basePath`. */
      readonly prefix?: string | undefined
    })

/**
 * The library, set up for one application. Everything finds the request by itself: in server functions, in API
 * routes, and in middleware that is passed to `middleware`.
 */
export interface SolidAuth<Sess = Session> extends AuthCalls<[], Response, Sess> {
  /**
   * Answers requests to the endpoints, and keeps responses about one visitor out of caches:
   * `export default createMiddleware(auth.middleware)`.
   */
  readonly middleware: MadeMiddleware<SolidEvent>
  /**
   * The same with your own middleware behind it, and with `requireSession` in front of the application:
   * `createMiddleware(auth.middlewareWith({ requireSession: { except: ['/login'] } }))`.
   */
  middlewareWith<Event extends SolidEvent>(
    options: MiddlewareOptions<Event, Sess>,
  ): MadeMiddleware<Event>
  /** The endpoints as an API route, for applications that have one: `src/routes/api/auth/[...solidauth].ts`. */
  GET(event: SolidEvent): Promise<Response>
  /** The same, for forms. */
  POST(event: SolidEvent): Promise<Response>
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read. Null for everybody where the platform keeps the answer for everybody:
   * by `isr` in `routeRules`.
   */
  getSession(): Promise<Sess | null>
  /**
   * The session of the user, in server functions. If nobody is signed in, people are sent to sign in, with `callbackUrl`
   * naming the page to return to. It throws a redirect, or an error if a redirect is useless: users that `allow` rejects
   * get 403, programs 401, and everybody gets 503 while the store is down.
   *
   * @example
   * ```ts
   * import { SiteAuth } from '@siteauth/solid-start'
   *
   * const auth = SiteAuth({ providers: [] })
   *
   * export async function getInvoices() {
   *   'use server'
   *   const { user } = await auth.requireSession()
   *   return [`An invoice for ${user?.name}`]
   * }
   * ```
   */
  requireSession(options?: RequireSessionOptions<Sess>): Promise<Sess>
  /**
   * The same for API routes and middleware, which return the response: SolidStart answers 500 to one that an API route
   * throws.
   */
  guard(options?: RequireSessionOptions<Sess>): Promise<Sess | Response>
}
