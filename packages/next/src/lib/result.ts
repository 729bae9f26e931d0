import type { RequireSessionOptions } from '@siteauth/core/integration'
import type { CommonCalls } from '@siteauth/core/internal'
import type { Session, User } from '@siteauth/core/types'
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import type { SignIn } from './calls/sign-in.ts'
import type { SignOut } from './calls/sign-out.ts'

/** A request whose session has been read. */
export interface NextAuthRequest<Sess = Session> extends NextRequest {
  /** Who is signed in, or null. */
  auth: Sess | null
}

/** What a wrapped function may return. In a proxy, nothing lets the request through. */
export type WrappedResult =
  | Response
  | null
  | undefined
  | void
  | Promise<Response | null | undefined>
  | Promise<void>

/** The second argument of a route handler. */
export interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>
}

/** The second argument of a function that does not say where it is used. */
export interface AnyContext
  extends RouteContext,
    Pick<NextFetchEvent, 'waitUntil' | 'sourcePage'> {}

/** The context that the wrapped function is called with: the application's type, or Next's. */
export type ContextOf<Context> = [AnyContext] extends [Context]
  ? [Context] extends [AnyContext]
    ? RouteContext | NextFetchEvent
    : Context
  : Context

/** What `auth` makes of a function. It has a name so that declarations of applications can use it. */
export type WrappedHandler<Context = AnyContext> = (
  request: NextRequest,
  context: ContextOf<Context>,
) => Promise<Response>

/** A route handler of the App Router. */
export type RouteHandler = (request: NextRequest) => Promise<Response>

/** The endpoints, to be exported from `app/api/auth/[...siteauth]/route.ts`. */
export interface RouteHandlers {
  GET: RouteHandler
  POST: RouteHandler
}

/** A session, and a way to keep it alive. */
export interface RequestSession<Sess = Session> {
  readonly session: Sess | null
  /**
   * Adds a renewed session's cookies to another middleware's response, and lets the page behind it
   * see them. Returns the same response if there is nothing to add.
   */
  applyTo(response: Response): Response
}

/** Who is signed in, wherever Next runs code on the server. */
export interface Auth<Sess = Session> {
  /**
   * In server components, server actions and inside route handlers. Several calls in one request
   * cost one read. Rejects with an `AuthError` if it is unknown who is signed in.
   */
  (): Promise<Sess | null>
  /** As the proxy itself, or called in it: answers the request, or lets it through. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>
  /** Around a proxy, a route handler or an edge API route, whose request then has `auth`. */
  <Context = AnyContext>(
    handler: (request: NextAuthRequest<Sess>, context: Context) => WrappedResult,
  ): WrappedHandler<Context>
  /** In `getServerSideProps`. */
  (context: Pick<GetServerSidePropsContext, 'req' | 'res'>): Promise<Sess | null>
  /** In API routes. Without `res`, the session is read but not renewed. */
  (req: NextApiRequest, res?: NextApiResponse): Promise<Sess | null>
  /**
   * For proxies made of several parts: a request's session, and a function that adds its cookies to
   * any response.
   *
   * @example
   * ```ts
   * import SiteAuth from '@siteauth/next'
   * import { type NextRequest, NextResponse } from 'next/server'
   *
   * const { auth } = SiteAuth({ providers: [] })
   *
   * export async function proxy(request: NextRequest): Promise<Response> {
   *   const { session, applyTo } = await auth.session(request)
   *   const language = session ? 'de' : 'en'
   *   return applyTo(NextResponse.rewrite(new URL(`/${language}`, request.url)))
   * }
   * ```
   */
  session(request: Request): Promise<RequestSession<Sess>>
}

/** What `unstable_update` passes to the application's own callbacks. */
export type SessionUpdate<Sess = Session> = Partial<Sess> | { user: Partial<User> }

/**
 * What `SiteAuth` returns. Calls that set cookies work in server actions and route handlers, and reject while a page is
 * being rendered. Those about passwords redirect, or with `redirect: false` resolve with the URL.
 *
 * @example
 * ```tsx
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 * import SiteAuth from '@siteauth/next'
 *
 * const { sessions } = SiteAuth({ providers: [], adapter: MemoryAdapter() })
 *
 * export default async function Devices() {
 *   const devices = await sessions.list()
 *   return (
 *     <form action={endDevice}>
 *       {devices.map(({ handle }) => (
 *         <button key={handle} name="handle" value={handle} type="submit">
 *           End
 *         </button>
 *       ))}
 *     </form>
 *   )
 * }
 *
 * async function endDevice(form: FormData): Promise<void> {
 *   'use server'
 *   await sessions.end(String(form.get('handle')))
 * }
 * ```
 */
export interface SiteAuthResult<Sess = Session> extends CommonCalls<[], string, Sess> {
  handlers: RouteHandlers
  auth: Auth<Sess>
  signIn: SignIn
  signOut: SignOut
  /**
   * Changes the session, in a server action or a route handler: the `jwt` and `session` callbacks
   * get these changes, and decide. Resolves with the resulting session, or null.
   */
  unstable_update(changes: SessionUpdate<Sess>): Promise<Sess | null>
  /**
   * Resolves with the session, in server components, server actions and route handlers. Redirects an anonymous visitor to
   * the sign-in page. A user that `allow` rejects gets 403 if `experimental.authInterrupts` is set in `next.config`;
   * otherwise it rejects with an `AccessDenied`. Rejects with an `AuthError` if the session cannot be read.
   *
   * Visitors return to the page that they came from, since a server component does not know its own address. To name
   * another, put it into that of the sign-in page: `redirectTo: '/login?callbackUrl=/account'`.
   *
   * @example
   * ```tsx
   * import SiteAuth from '@siteauth/next'
   *
   * const { requireSession } = SiteAuth({ providers: [] })
   *
   * export default async function Account() {
   *   const session = await requireSession()
   *   return <p>The account of {session.user?.name}</p>
   * }
   * ```
   */
  requireSession(options?: RequireSessionOptions<Sess>): Promise<Sess>
}

/** The same, under its Auth.js name. */
export type NextAuthResult<Sess = Session> = SiteAuthResult<Sess>
