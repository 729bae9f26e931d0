import type { AuthConfig } from '@siteauth/core'
import type {
  AuthorizationParams,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
  SignInOptions,
  SignOutOptions,
} from '@siteauth/core/integration'
import type { CommonCalls } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ActionFailure, Handle, RequestEvent } from '@sveltejs/kit'

/**
 * The configuration of an application, or a function that makes one of the first request: on some platforms, stores
 * come with requests. It is called once.
 */
export type SvelteKitAuthConfig<Token = JWT, Sess = Session, Exposed extends string = string> =
  | AuthConfig<Token, Sess, Exposed>
  | ((
      event: RequestEvent,
    ) => AuthConfig<Token, Sess, Exposed> | Promise<AuthConfig<Token, Sess, Exposed>>)

/** Options by which `requireSession` is a guard in front of many routes, rather than a call in one. */
export interface RequiredExcept<Sess = Session> extends RequireSessionMiddlewareOptions<Sess> {
  readonly except: readonly string[]
}

/** What a page gets as `form` if a form's credentials were wrong. */
export interface SignInFailure {
  readonly error: 'CredentialsSignin'
  /** The `code` of your `CredentialsSignin`. */
  readonly code: string
}

/** The library, set up for one application. The other calls take an event as well. */
export interface SvelteKitAuth<Sess = Session>
  extends CommonCalls<[event: RequestEvent], never, Sess> {
  /**
   * Answers requests to the endpoints, and puts `auth` on `event.locals`. Export it from `src/hooks.server.ts`,
   * before your own: `sequence(auth.handle, yours)`.
   */
  readonly handle: Handle
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read. The same as `event.locals.auth()`, with the types of your
   * configuration. Null for everybody while pages are prerendered.
   */
  getSession(event: RequestEvent): Promise<Sess | null>
  /**
   * Resolves with the session if a user is signed in. People are sent to sign in, with `callbackUrl` naming the page to
   * return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the store is down.
   * Throws as SvelteKit's own `redirect` and `error` do, so call it outside of `try`. For load functions, actions, remote
   * functions and `+server.ts`. A load function of a layout does not guard the pages below it.
   */
  requireSession(event: RequestEvent, options?: RequireSessionOptions<Sess>): Promise<Sess>
  /**
   * The same as a hook in front of all routes: `sequence(auth.handle, auth.requireSession({ except: ['/login'] }))`.
   * `except` names the routes that it exempts, as in `event.route.id`; pass an empty list if there are none. Remote
   * functions are not exempt at any route, and prerendered pages are for everybody.
   */
  requireSession(options: RequiredExcept<Sess>): Handle
  /**
   * Signs someone in. By itself, a form action: the form says `providerId`, `redirectTo` and whatever the
   * provider asks for. From an action of your own, pass the provider, and catch `CredentialsSignin`. Ends in
   * SvelteKit's `redirect`: to the provider, to the sign-in page if no provider is named, or, with credentials,
   * to where the visitor wanted to be.
   */
  signIn(
    event: RequestEvent,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ): Promise<ActionFailure<SignInFailure>>
  /** Signs the visitor out: a form action, or a call from one of your own. Ends in SvelteKit's `redirect`. */
  signOut(event: RequestEvent, options?: SignOutOptions | FormData): Promise<never>
  /**
   * Passes changes to the `jwt` and `session` callbacks, which decide about them, and returns the session that results; null
   * if the visitor is not signed in.
   */
  update(event: RequestEvent, changes: unknown): Promise<Sess | null>
}
