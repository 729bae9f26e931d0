import type {
  AccessToken,
  AccessTokenWish,
  ListedAccount,
  ListedSession,
  NamedAccount,
  PublicProvider,
  Session,
  UnlinkedAccount,
  UnlinkWish,
  User,
} from '@siteauth/core/types'
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import type { Passwords } from './calls/passwords.ts'
import type { SignOut } from './calls/server-calls.ts'
import type { SignIn } from './calls/sign-in.ts'

/** A request whose visitor is known. */
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

/** What the wrapped function has to be called with: what the application said, or what Next gives. */
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

/** What `SiteAuth` returns. */
export interface SiteAuthResult<Sess = Session> {
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
   * Gives the session of this browser a new token, in a server action or a route handler: for when
   * somebody may do more than before, or has a new password. The old token ends within 30 seconds, so
   * that requests that are under way still work. Resolves with the session; null where nobody is signed in.
   *
   * @example
   * ```ts
   * import SiteAuth from '@siteauth/next'
   *
   * const { rotate } = SiteAuth({ providers: [] })
   *
   * export async function changePassword(form: FormData): Promise<void> {
   *   'use server'
   *   await storeHash(form)
   *   await rotate()
   * }
   * declare function storeHash(form: FormData): Promise<void> // your database
   * ```
   */
  rotate(): Promise<Sess | null>
  /**
   * Signs a user out everywhere: ends every session that began before now, in every browser,
   * including copied cookies. Ending sessions in cookies takes a log of ended sessions, which all
   * our adapters have; see `session.revocation`.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import SiteAuth from '@siteauth/next'
   *
   * const { endUser } = SiteAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function changePassword(userId: string, hash: string): Promise<void> {
   *   await storeHash(userId, hash)
   *   await endUser(userId)
   * }
   * declare function storeHash(userId: string, hash: string): Promise<void> // your database
   * ```
   */
  endUser(userId: string): Promise<void>
  /**
   * The ways to sign in, in the order of the configuration, for a sign-in page of your own: in server
   * components, server actions and route handlers. Where several begin with an address, `lastUsed` says which
   * one this browser signed in with last.
   *
   * @example
   * ```tsx
   * import SiteAuth from '@siteauth/next'
   *
   * const { listProviders } = SiteAuth({ providers: [] })
   *
   * export default async function Login() {
   *   const providers = await listProviders()
   *   return <ul>{providers.map(({ id, name }) => <li key={id}>{name}</li>)}</ul>
   * }
   * ```
   */
  listProviders(): Promise<readonly PublicProvider[]>
  /**
   * The sessions of whoever is signed in, the latest seen first and at most a hundred; empty where nobody
   * is. In server components, server actions and route handlers. Sessions in cookies are listed where they
   * are tracked: see `session.track`.
   */
  listSessions(): Promise<readonly ListedSession[]>
  /**
   * Ends one session of whoever is signed in, by its handle, in a server action or a route handler; if it is
   * the visitor's own, its cookie goes. Resolves with whether there was such a session. One of somebody else
   * is as unknown as one that does not exist.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import SiteAuth from '@siteauth/next'
   *
   * const { endSession } = SiteAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function endDevice(form: FormData): Promise<void> {
   *   'use server'
   *   await endSession(String(form.get('handle')))
   * }
   * ```
   */
  endSession(handle: string): Promise<boolean>
  /**
   * Ends all sessions of whoever is signed in but this one, in a server
   * action or a route handler. Resolves with whether anybody is signed in.
   */
  endOtherSessions(): Promise<boolean>
  /**
   * An access token of whoever is signed in, to call a provider's API with: in server components, server
   * actions, route handlers and the proxy. Refreshes it first if it has expired, or is about to: once,
   * however many ask. Throws an `AccessTokenError` if there is none; `code` says why. Without an adapter,
   * tokens are in cookies, which cannot be set while a page is rendered: have the proxy run for such pages.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import SiteAuth from '@siteauth/next'
   * import Google from '@siteauth/next/providers/google'
   *
   * const { getAccessToken } = SiteAuth({ providers: [Google], adapter: MemoryAdapter() })
   *
   * export async function events(): Promise<Response> {
   *   const { accessToken } = await getAccessToken('google', { minValidity: 120 })
   *   const headers = { authorization: `Bearer ${accessToken}` }
   *   return fetch('https://www.googleapis.com/calendar/v3/calendars/primary/events', { headers })
   * }
   * ```
   */
  getAccessToken(provider: string, wish?: AccessTokenWish): Promise<AccessToken>
  /**
   * Asks a provider's API on behalf of whoever is signed in: adds the access token, and if the provider
   * refuses that with 401, gets another and asks once more. The URL must be your own choice: whoever
   * answers there gets the token.
   */
  providerFetch(
    provider: string,
    url: string | URL,
    init?: RequestInit,
    wish?: AccessTokenWish,
  ): Promise<Response>
  /**
   * The accounts of whoever is signed in, without their tokens: at which provider, with which scopes, and
   * whether the person has to sign in with it again. Empty where nobody is signed in, or nothing is stored.
   */
  listAccounts(): Promise<readonly ListedAccount[]>
  /**
   * Removes an account from whoever is signed in, in a server action or a route handler, unless they could
   * not sign in without it. One of somebody else is as unknown as one that does not exist.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import SiteAuth from '@siteauth/next'
   *
   * const { unlinkAccount } = SiteAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function disconnect(form: FormData): Promise<void> {
   *   'use server'
   *   await unlinkAccount({ provider: 'google', accountId: String(form.get('accountId')) })
   * }
   * ```
   */
  unlinkAccount(account: NamedAccount, wish?: UnlinkWish): Promise<UnlinkedAccount>
  /** What pages of the application's own do with passwords, where there is a `Password` provider. */
  passwords: Passwords
}

/** The same, under its Auth.js name. */
export type NextAuthResult<Sess = Session> = SiteAuthResult<Sess>
