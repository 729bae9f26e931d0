import type { JWT, Session } from '../base/model.ts'
import type { AuthConfig } from '../config/options.ts'
import type { ListedSession } from '../devices/listed-session.ts'
import type { AccessToken, AccessTokenWish } from '../flows/access-token.ts'
import type {
  ListedAccount,
  NamedAccount,
  UnlinkedAccount,
  UnlinkWish,
} from '../flows/own-accounts.ts'
import type { SentRequest } from '../http/incoming.ts'
import type { PublicProvider } from '../providers/provider.ts'
import type { SignInWish, SignOutWish } from './calls.ts'
import type {
  ChangedPassword,
  ChosenPassword,
  PasswordLinkWish,
  RemovedPassword,
} from './password-calls.ts'

/**
 * What an application configures: an object, or a function that makes one of the first request, on platforms
 * where stores and variables come with requests. It is asked once.
 */
export type BoundConfig<Context, Token = JWT, Sess = Session, Exposed extends string = never> =
  | AuthConfig<Token, Sess, Exposed>
  | ((context: Context) => AuthConfig<Token, Sess, Exposed>)

/** Which users a guard lets through, and where it sends others. */
export interface GuardOptions<Sess = Session> {
  /** The sign-in page: a path or a URL. Defaults to the configured one. */
  readonly redirectTo?: string | undefined
  /** Returns `true` for users who may pass. All others get 403. By default, every user may. */
  readonly allow?: ((session: Sess) => boolean | Promise<boolean>) | undefined
}

/** The options of a guard in front of several routes. */
export interface FrontGuardOptions<Sess = Session> extends GuardOptions<Sess> {
  /**
   * The pages that visitors can see without a session: the sign-in page, if it is the application's own. `/login` is for GET and
   * HEAD, `POST /login` for a form that is sent there. Entries are compared byte for byte, without patterns. By default,
   * the guard exempts nothing. The endpoints need no exemption if they are mounted before the guard.
   */
  readonly except?: readonly string[] | undefined
}

/** A request that a guard has answered. */
export interface Refusal<Answer> {
  readonly session?: never
  readonly isExempt?: never
  readonly refusal: { readonly answer: Answer }
}

/** The result of a guard: the session of a user who may pass, or the answer to a denied request. */
export type Guarded<Sess, Answer> =
  | { readonly session: Sess; readonly isExempt?: never; readonly refusal?: never }
  | Refusal<Answer>

/** The same for a guard in front of several routes, which has not read the session of an exempt request. */
export type FrontGuarded<Sess, Answer> =
  | Guarded<Sess, Answer>
  | { readonly isExempt: true; readonly session?: never; readonly refusal?: never }

/**
 * The library in one framework, for one application. Cookies are set on the answer by the time a promise
 * resolves, also where it rejects. A sign-in or sign-out is seen by the rest of the request.
 */
export interface Bound<Context extends object, Sess, Answer> {
  /**
   * Whether `handle` has to answer a request in place of the application: the request is for one of the endpoints, or
   * its `Host` header is malformed.
   */
  answersItself(context: Context): boolean
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
  handle(context: Context, request?: SentRequest): Promise<Answer>
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read.
   */
  session(context: Context): Promise<Sess | null>
  /**
   * Lets a request through if a user is signed in, whatever its path. People are sent to sign in, with `callbackUrl`
   * naming the page to return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 if the
   * session cannot be read.
   */
  guard(context: Context, options?: GuardOptions<Sess>): Promise<Guarded<Sess, Answer>>
  /** Creates a guard for many routes at once, with the routes that it exempts. */
  guardInFront(
    options?: FrontGuardOptions<Sess>,
  ): (context: Context) => Promise<FrontGuarded<Sess, Answer>>
  /** Signs somebody in, or begins to. Resolves with the URL to send them to. Throws an `AuthError` on failure. */
  signIn(context: Context, wish?: SignInWish): Promise<string>
  /** Signs the visitor out. Resolves with the URL to send them to. */
  signOut(context: Context, wish?: SignOutWish): Promise<string>
  /** Sends a visitor elsewhere, such as to where `signIn` says. */
  redirect(context: Context, url: string): Promise<Answer>
  /** All that is the same in every framework. */
  readonly calls: BoundCalls<Context, Sess>
}

/** What an application calls, whatever its framework, with the context of a request. */
export interface BoundCalls<Context extends object, Sess> {
  /** Hands changes to the `jwt` and `session` callbacks, and resolves with what they make of them. */
  update(context: Context, changes: unknown): Promise<Sess | null>
  /** Gives the session a new token, for when somebody may do more than before. Null where nobody is signed in. */
  rotate(context: Context): Promise<Sess | null>
  /** The ways to sign in, in the order of the configuration, for a sign-in page of the application's own. */
  listProviders(context: Context): Promise<readonly PublicProvider[]>
  /** The sessions of whoever is signed in, the latest seen first and at most a hundred. */
  listSessions(context: Context): Promise<readonly ListedSession[]>
  /** Ends one session of whoever is signed in, by its handle. Resolves with whether there was one. */
  endSession(context: Context, handle: string): Promise<boolean>
  /** Ends all sessions of whoever is signed in but this one. Resolves with whether anyone is. */
  endOtherSessions(context: Context): Promise<boolean>
  /**
   * Signs a user out everywhere: ends every session that began before now, in every browser.
   *
   * @param context that of any request, where variables or the configuration come with requests
   */
  endUser(userId: string, context?: Context): Promise<void>
  /** An access token of whoever is signed in, refreshed if need be. Throws an `AccessTokenError` if there is none. */
  getAccessToken(context: Context, provider: string, wish?: AccessTokenWish): Promise<AccessToken>
  /** Asks a provider's API on behalf of whoever is signed in. The URL must be your own choice. */
  providerFetch(context: Context, request: BoundProviderRequest): Promise<Response>
  /** The accounts of whoever is signed in, without their tokens. */
  listAccounts(context: Context): Promise<readonly ListedAccount[]>
  /** Removes an account from whoever is signed in, unless they could not sign in without it. */
  unlinkAccount(
    context: Context,
    account: NamedAccount,
    wish?: UnlinkWish,
  ): Promise<UnlinkedAccount>
  /** What pages of the application's own do with passwords. Each resolves with the URL to go to. */
  readonly passwords: BoundPasswords<Context>
}

/** What to ask a provider's API for. */
export interface BoundProviderRequest {
  readonly provider: string
  readonly url: string | URL
  readonly init?: RequestInit | undefined
  readonly wish?: AccessTokenWish | undefined
}

/** Passwords, for pages of the application's own. A `PasswordRefused` says why one is not taken. */
export interface BoundPasswords<Context extends object> {
  /** Sends a link to choose a password by. Everybody gets the same answer, known or not. */
  ask(context: Context, wish: PasswordLinkWish): Promise<string>
  /** Stores the password that somebody has chosen behind a link, signs them in, and out everywhere else. */
  choose(context: Context, chosen: ChosenPassword): Promise<string>
  /** Replaces the password of whoever is signed in, and signs them out everywhere else. */
  change(context: Context, changed: ChangedPassword): Promise<string>
  /** Removes the password of whoever is signed in, unless it is their only way in. */
  remove(context: Context, removed: RemovedPassword): Promise<string>
}
