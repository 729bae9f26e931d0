import type { Session } from '../base/session.ts'
import type { ListedSession } from '../devices/listed-session.ts'
import type { AccessToken, AccessTokenOptions } from '../flows/account/get-access-token.ts'
import type { ListedAccount, NamedAccount } from '../flows/account/list-accounts.ts'
import type { UnlinkedAccount, UnlinkOptions } from '../flows/account/unlink-account.ts'
import type { SessionEndListener, SessionEndOptions } from '../flows/session/on-session-end.ts'
import type { RevokedAccess } from '../flows/session/revoke-access.ts'
import type { PublicProvider } from '../providers/provider.ts'
import type {
  ChangePasswordOptions,
  ChoosePasswordOptions,
  PasswordLinkOptions,
  RemovePasswordOptions,
} from './password-calls.ts'
import type { AuthorizationParams, SignInOptions, SignOutOptions } from './sign-in-options.ts'

// Every call of the library is declared once, here: by a member of one of these interfaces, and by a row of CALLS below. What
// a call does is a row in `run-call.ts`. Frameworks extend the interfaces rather than map them, because editors lose the
// comments of members that are mapped.

/**
 * The calls of the library, as every framework has them.
 *
 * `Given` is what each call takes first, such as the context of a request, and `Redirected` what the calls that redirect
 * resolve with.
 *
 * @example
 * ```ts
 * import type { AuthCalls } from '@siteauth/core/integration'
 *
 * export async function greet<Context>(auth: AuthCalls<[c: Context], Response>, c: Context): Promise<string> {
 *   const session = await auth.getSession(c)
 *   return session ? `Hello, ${session.user?.name}` : 'Hello'
 * }
 * ```
 */
export interface AuthCalls<
  Given extends readonly unknown[] = [],
  Redirected = string,
  Sess = Session,
> extends CommonCalls<Given, Redirected, Sess> {
  /**
   * Returns the visitor's session, or null if the visitor is not signed in. Throws an `AuthError` if the session cannot be
   * read. Renews the session when it is due. Several calls for one request cost one read.
   */
  getSession(...args: [...given: Given]): Promise<Sess | null>
  /**
   * Signs the visitor in and redirects: to the provider, to the sign-in page if `provider` is missing, or, with
   * credentials, to `redirectTo`. Throws an `AuthError` if the sign-in fails.
   */
  signIn(
    ...args: [
      ...given: Given,
      provider?: string,
      options?: SignInOptions | FormData,
      authorizationParams?: AuthorizationParams,
    ]
  ): Promise<Redirected>
  /** Signs the visitor out: ends the session, clears its cookie and redirects. */
  signOut(...args: [...given: Given, options?: SignOutOptions | FormData]): Promise<Redirected>
  /**
   * Passes changes to the `jwt` and `session` callbacks, which decide about them, and returns the session that results; null
   * if the visitor is not signed in.
   */
  update(...args: [...given: Given, changes: unknown]): Promise<Sess | null>
}

/** The calls that Next has as well. There, the others are those of Auth.js. */
export interface CommonCalls<
  Given extends readonly unknown[] = [],
  Redirected = string,
  Sess = Session,
> {
  /**
   * Lists the ways to sign in, in the order of the configuration, for a sign-in page of your own. `lastUsed` marks the one
   * that this browser signed in with last.
   */
  listProviders(...args: [...given: Given]): Promise<readonly PublicProvider[]>
  /** The visitor's sessions. */
  readonly sessions: SessionCalls<Given, Sess>
  /** The visitor's accounts at providers, and their access tokens. */
  readonly accounts: AccountCalls<Given>
  /** Passwords, for pages of your own. */
  readonly passwords: PasswordCalls<Given, Redirected>
  /** Calls about any user. They need no visitor, and check no permission. */
  readonly users: UserCalls<Given>
}

/**
 * The calls that pages make as well, through endpoints. The packages for pages implement all of it: a call that is declared
 * in one of these groups appears in each of them, or they do not compile.
 *
 * `SubmitResult` is what a page learns of a form that it has sent.
 */
export interface ClientCalls<SubmitResult> {
  readonly sessions: ClientSessionCalls
  readonly passwords: PasswordCalls<[], SubmitResult>
}

/** The visitor's sessions, for servers and pages. Sessions in cookies are listed and ended only if they are tracked: see `session.track`. */
export interface ClientSessionCalls<Given extends readonly unknown[] = []> {
  /** Lists the visitor's sessions, the most recently used first, at most a hundred. Empty if the visitor is not signed in. */
  list(...args: [...given: Given]): Promise<readonly ListedSession[]>
  /**
   * Ends one of the visitor's sessions by its handle. Resolves with whether there was one: another user's session is
   * treated like one that does not exist. If it is the current session, its cookie is cleared.
   */
  end(...args: [...given: Given, handle: string]): Promise<boolean>
  /** Ends all of the visitor's sessions except the current one. Resolves with whether the visitor is signed in. */
  endOthers(...args: [...given: Given]): Promise<boolean>
}

/** The visitor's sessions. Sessions in cookies are listed and ended only if they are tracked: see `session.track`. */
export interface SessionCalls<Given extends readonly unknown[] = [], Sess = Session>
  extends ClientSessionCalls<Given> {
  /**
   * Replaces the token of the visitor's session, after a change of role or password. The old token ends within 30
   * seconds, so that requests that are under way still work. The session lasts no longer than `absoluteAge` allows. Null if
   * the visitor is not signed in.
   */
  rotate(...args: [...given: Given]): Promise<Sess | null>
  /**
   * Calls `listener` once when the session of the request is over: for WebSockets and event streams, which outlast the
   * request. The store is queried every ten seconds, so it takes no longer than that, on all servers. Resolves with a
   * function that stops listening: call it when the connection closes. If the visitor is not signed in, the listener is
   * called at once.
   *
   * @example
   * ```ts
   * import { createAuth } from '@siteauth/core'
   *
   * const auth = createAuth({ providers: [] })
   *
   * export async function connect(request: Request, socket: WebSocket): Promise<void> {
   *   const stop = await auth.sessions.onEnd(request, () => socket.close(4001, 'signed out'))
   *   socket.addEventListener('close', stop)
   * }
   * ```
   */
  onEnd(
    ...args: [...given: Given, listener: SessionEndListener, options?: SessionEndOptions]
  ): Promise<() => void>
}

/** The visitor's accounts at providers. */
export interface AccountCalls<Given extends readonly unknown[] = []> {
  /**
   * Lists the visitor's accounts without their tokens: the provider, the scopes, and whether the user has to sign in with
   * the account again. Empty if the visitor is not signed in, or no account is stored.
   */
  list(...args: [...given: Given]): Promise<readonly ListedAccount[]>
  /**
   * Unlinks an account from the visitor, unless the user could not sign in without it. Another user's account is treated
   * like one that does not exist.
   */
  unlink(
    ...args: [...given: Given, account: NamedAccount, options?: UnlinkOptions]
  ): Promise<UnlinkedAccount>
  /**
   * Returns an access token for a provider's API. Refreshes it if it has expired or is about to: once, however many
   * requests need it, also in several processes. Throws an `AccessTokenError` if there is none; its `code` is the
   * reason.
   */
  getAccessToken(
    ...args: [...given: Given, provider: string, options?: AccessTokenOptions]
  ): Promise<AccessToken>
  /**
   * Calls a provider's API with the visitor's access token. If the provider rejects the token with 401, refreshes it and
   * tries again. The URL must be your own choice, since the server there receives the token.
   */
  fetch(
    ...args: [
      ...given: Given,
      provider: string,
      url: string | URL,
      init?: RequestInit,
      options?: AccessTokenOptions,
    ]
  ): Promise<Response>
}

/** Passwords, for pages of your own. A `PasswordRefused` names by its `code` why a password is rejected. */
export interface PasswordCalls<Given extends readonly unknown[] = [], Redirected = string> {
  /** Mails a link to choose a password. The response is the same whether or not the address belongs to a user. */
  sendLink(...args: [...given: Given, options: PasswordLinkOptions | FormData]): Promise<Redirected>
  /** Stores the password that was chosen behind a link, signs the user in and ends the user's other sessions. */
  choose(...args: [...given: Given, options: ChoosePasswordOptions | FormData]): Promise<Redirected>
  /** Changes the visitor's password and ends the user's other sessions. */
  change(...args: [...given: Given, options: ChangePasswordOptions | FormData]): Promise<Redirected>
  /** Removes the visitor's password, unless the user could not sign in without it. */
  remove(...args: [...given: Given, options: RemovePasswordOptions | FormData]): Promise<Redirected>
}

/** Calls about any user. */
export interface UserCalls<Given extends readonly unknown[] = []> {
  /**
   * Ends all of a user's sessions, in every browser, including copied cookies. With the `jwt` strategy, this takes a
   * revocation log, which all our adapters have: see `session.revocation`. A context is needed only on platforms
   * on which variables or the configuration come with requests.
   *
   * @example
   * ```ts
   * import { createAuth } from '@siteauth/core'
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   *
   * const auth = createAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function changePassword(userId: string, hash: string): Promise<void> {
   *   await storeHash(userId, hash)
   *   await auth.users.endSessions(userId)
   * }
   * declare function storeHash(userId: string, hash: string): Promise<void> // your database
   * ```
   */
  endSessions(...args: [userId: string, ...context: Partial<Given>]): Promise<void>
  /**
   * Revokes everything that lets a user act without signing in again, for an account that may be compromised: all sessions,
   * sign-ins in progress, links and codes that were mailed, the browsers that limits make exceptions for, and the tokens of
   * providers. The tokens are deleted from the store, and revoked at providers that have an endpoint for it (RFC 7009).
   * Passwords, passkeys and linked accounts stay: change or remove those that the attacker may have.
   *
   * @example
   * ```ts
   * import { createAuth } from '@siteauth/core'
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   *
   * const auth = createAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function lockOutAttacker(userId: string): Promise<string[]> {
   *   const { accounts } = await auth.users.revokeAccess(userId)
   *   return accounts.filter(account => !account.isRevoked).map(account => account.provider)
   * }
   * ```
   */
  revokeAccess(...args: [userId: string, ...context: Partial<Given>]): Promise<RevokedAccess>
}

/** The traits of a call that have to be known before it runs. */
export interface CallTraits {
  /**
   * Whether the call sets cookies. One whose cookies are required is rejected if no cookie can be set, as while Next
   * renders a page. One whose cookies are optional runs without them.
   */
  readonly cookies: 'never' | 'optional' | 'required'
  /** The result of the call. A framework turns a URL into a redirect of its own. */
  readonly result: 'value' | 'url'
}

const READ: CallTraits = { cookies: 'never', result: 'value' }
const MAY_SET: CallTraits = { cookies: 'optional', result: 'value' }
const SETS: CallTraits = { cookies: 'required', result: 'value' }
const REDIRECTS: CallTraits = { cookies: 'required', result: 'url' }

/** Every call, by its name or by its group and name. Loaded with the application, so it is small. */
export const CALLS: Readonly<Record<CallName, CallTraits>> = {
  getSession: MAY_SET,
  signIn: REDIRECTS,
  signOut: REDIRECTS,
  update: SETS,
  listProviders: READ,
  'sessions.list': READ,
  'sessions.end': SETS,
  'sessions.endOthers': SETS,
  'sessions.rotate': SETS,
  'sessions.onEnd': READ,
  'accounts.list': READ,
  'accounts.unlink': MAY_SET,
  'accounts.getAccessToken': MAY_SET,
  'accounts.fetch': MAY_SET,
  'passwords.sendLink': REDIRECTS,
  'passwords.choose': REDIRECTS,
  'passwords.change': REDIRECTS,
  'passwords.remove': REDIRECTS,
  'users.endSessions': READ,
  'users.revokeAccess': READ,
}

/** The name of a call, such as `signIn` or `sessions.endOthers`. */
export type CallName = {
  readonly [Name in keyof AuthCalls]: AuthCalls[Name] extends (...args: never) => unknown
    ? Name
    : `${Name}.${keyof AuthCalls[Name] & string}`
}[keyof AuthCalls]

/** The calls about any user, which take no request first. */
export type UserCallName = Extract<CallName, `users.${string}`>

/** The calls on behalf of a visitor that flows carry out. A session is read without them. */
export type VisitorCallName = Exclude<CallName, UserCallName | 'getSession'>

/** A call by its name. */
export type CallNamed<Name extends CallName> = Name extends keyof AuthCalls
  ? AuthCalls[Name]
  : Name extends `${infer Group extends keyof AuthCalls}.${infer Call}`
    ? Call extends keyof AuthCalls[Group]
      ? AuthCalls[Group][Call]
      : never
    : never

/** Whether a call is about any user, rather than the visitor. */
export function isUserCall(name: CallName): name is UserCallName {
  return name.startsWith('users.')
}
