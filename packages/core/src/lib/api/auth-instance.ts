import type { Session } from '../base/session.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import type { AuthCalls } from './auth-calls.ts'

/** The parts of a request that say who sent it. A `Request` will do, and so will Node's. */
export interface SessionRequest {
  readonly headers: RequestHeaders
  /** The full URL, if known. Decides whether to look for the HTTPS cookies. */
  readonly url?: string | undefined
}

/**
 * The library, set up for one application. The calls take the request of a visitor; the cookies that they set are put on a
 * response by `applyTo`.
 *
 * @example
 * ```ts
 * import type { AuthInstance } from '@siteauth/core'
 * import { AuthError } from '@siteauth/core/errors'
 *
 * export async function login(auth: AuthInstance, request: Request): Promise<Response> {
 *   const form = await request.clone().formData()
 *   try {
 *     const location = await auth.signIn(request, 'credentials', form)
 *     return auth.applyTo(request, new Response(null, { status: 303, headers: { location } }))
 *   } catch (error) {
 *     if (!(error instanceof AuthError)) throw error
 *     return new Response('Wrong name or password.', { status: 401 })
 *   }
 * }
 * ```
 */
export interface AuthInstance<Sess = Session>
  extends AuthCalls<[request: SessionRequest], string, Sess> {
  /** Answers a request to one of the endpoints. */
  handle(request: Request): Promise<Response>
  /**
   * Returns the visitor's session, or null if the visitor is not signed in. Throws an `AuthError` if the session cannot be
   * read. Renews the session when it is due: the cookie waits for `applyTo` or `takeSetCookies`. Each call reads the session
   * again.
   */
  getSession(request: SessionRequest): Promise<Sess | null>
  /**
   * Returns the response with the cookies that calls for this request have set, and headers that keep it out of
   * caches: a copy, or the same response if there are none. Pass the same object as `request` to the calls. Call it
   * last: cookies of later calls would be lost, so calls that need them are rejected.
   */
  applyTo(request: SessionRequest, response: Response): Response
  /**
   * Returns the cookies that calls for this request have set, as values of `Set-Cookie` headers, for code that has no
   * `Response`. A response with cookies must be `Cache-Control: private, no-store`, because a cache would give the session to
   * other visitors. Call it last, as `applyTo`.
   */
  takeSetCookies(request: SessionRequest): readonly string[]
}
