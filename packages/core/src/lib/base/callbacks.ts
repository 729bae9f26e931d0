import type { AdapterAuthenticator, AdapterSession, AdapterUser } from './adapter.ts'
import type { Awaitable } from './awaitable.ts'
import type { JWT, Session } from './session.ts'
import type { CallbackSession, CallbackUser } from './session-types.ts'
import type { LimitKind } from './stores.ts'
import type { Account, Profile, User } from './user.ts'

/** The arguments of the `signIn` callback. */
export interface SignInParams {
  user: User | AdapterUser
  account: Account | null
  /** The claims about the user, from an OAuth provider. */
  profile?: Profile
  /** Set while an email link is being requested, not when it is opened. */
  email?: { verificationRequest?: boolean }
  /** The fields that were sent to a credentials provider. */
  credentials?: Record<string, unknown>
  /**
   * Whether the address in `user.email` is known to be this person's: a link sent to it was opened,
   * or the provider vouches for it. Check this before an address decides who may enter. Undefined
   * for credentials, where only your `authorize` can tell.
   */
  isEmailProven?: boolean
}

/** The arguments of the `redirect` callback. */
export interface RedirectParams {
  /** Where the visitor asked to go. */
  url: string
  /** The origin of the application. */
  baseUrl: string
}

/** The arguments of the `jwt` callback. */
export interface JwtParams<Token = JWT> {
  /** At sign-in, the initial claims; later, the cookie's claims. */
  token: Token
  /** Present at sign-in only. */
  user: User | AdapterUser
  /** Present at sign-in only. */
  account?: Account | null
  /** Present at sign-in with an OAuth provider only. */
  profile?: Profile
  /** `signUp` if the adapter has just created the user. Absent when a session is merely read. */
  trigger?: 'signIn' | 'signUp' | 'update'
  /** @deprecated Use `trigger === 'signUp'`. */
  isNewUser?: boolean
  /** At sign-in: whether the address is known to be this person's. Undefined for credentials. */
  isEmailProven?: boolean
  /** The data sent with an update. It comes from the visitor: check it before you use it. */
  session?: unknown
}

/**
 * The arguments of the `session` callback: `token` with JWT sessions, `user` with a database. All of the user's
 * columns can be read, but copies only contain those that are shown anyway: name the ones that you want to show.
 */
export type SessionParams<Token = JWT, Exposed extends string = never> = {
  session: CallbackSession<Exposed, Token>
  user: CallbackUser<Exposed, Token>
  token: Token
} & {
  /** The data sent with an update. It comes from the visitor: check it before you use it. */
  newSession: unknown
  trigger?: 'update'
}

/** Where an application decides. */
export interface Callbacks<Token = JWT, Sess = Session, Exposed extends string = never> {
  /**
   * May this person sign in? False refuses; a string sends the visitor there instead. Throwing
   * refuses too.
   */
  signIn(params: SignInParams): Awaitable<boolean | string>
  /** Where to go after signing in or out. By default, only within this application. */
  redirect(params: RedirectParams): Awaitable<string>
  /** The content of the session token. Null ends the session. */
  jwt(params: JwtParams): Awaitable<Token | null>
  /** The part of a session that the browser may see. */
  session(params: SessionParams<Token, Exposed>): Awaitable<Sess>
  /**
   * Can anybody sign in as this user by what only the application stores, such as a password that a `credentials` provider
   * checks? Asked before the address of a user counts as proved because the provider of the only account vouches for it. Without
   * the callback, users of an application with a `credentials` provider may have such a way in, and others have none: an application
   * that starts sessions by other means needs the callback.
   */
  userHasOtherSignInMethods(params: { user: AdapterUser }): Awaitable<boolean>
}

/** Someone has proved an address that a user held unproved. See the guide on accounts. */
export interface EmailClaim {
  email: string
  /** The user who had the address, as it was. */
  earlierUser: AdapterUser
  /**
   * `emptied`: the user now belongs to the owner, and everyone who was in it without proof was
   * locked out. `released`: the user has given up the address, and the owner gets a new user.
   */
  outcome: 'emptied' | 'released'
  /** The accounts removed from the user. */
  accounts: readonly Pick<Account, 'provider' | 'providerAccountId' | 'type'>[]
  /** The passkeys removed from the user. */
  passkeys: readonly Pick<AdapterAuthenticator, 'credentialID'>[]
  /** How many sessions were ended. */
  sessions: number
}

/** The events an application can listen to. Listeners are awaited; what they throw is logged. */
export interface EventCallbacks {
  /** Someone signed in. */
  signIn(message: {
    user: User
    account: Account | null
    profile?: Profile
    isNewUser?: boolean
  }): Awaitable<void>
  /** Someone signed out. `session` with a database, `token` with JWT sessions. */
  signOut(
    message: { session: AdapterSession | null | undefined } | { token: JWT | null },
  ): Awaitable<void>
  /** The adapter has stored a new user. */
  createUser(message: { user: User }): Awaitable<void>
  /** The adapter has changed a user: the address was verified. */
  updateUser(message: { user: User }): Awaitable<void>
  /** A provider account now belongs to a user. */
  linkAccount(message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }): Awaitable<void>
  /**
   * Someone has proved an address that a user held unproved. Anything else that lets people into
   * that user, such as your own password, must be removed now. Throwing keeps the owner out; they
   * can try again.
   */
  emailClaimed(message: EmailClaim): Awaitable<void>
  /**
   * An account can no longer be refreshed: the person has to sign in with it again. Told once for each
   * refresh token.
   */
  accountError(message: {
    user: Pick<User, 'id'>
    account: Pick<Account, 'provider' | 'providerAccountId'>
    error: Error
  }): Awaitable<void>
  /**
   * A user has signed out at a provider, and the sessions from there have ended: see `backChannelLogout` and
   * `frontChannelLogout`. Called once for each notice, also if there was nothing to end.
   */
  providerSignOut(message: {
    provider: string
    /** `front`: a page requested it, which any site could do. */
    channel: 'back' | 'front'
    /** The user that has the account. Null if the provider names a session only, or no user here has the account. */
    user: Pick<User, 'id'> | null
    /** The user's id at the provider. All of the user's sessions from there have ended, unless there is a `sid`. */
    sub?: string
    /** Which session at the provider has ended: that of the claim `sid` in `profile`. */
    sid?: string
  }): Awaitable<void>
  /**
   * An attempt was rejected: there were too many. `by` names what was counted: those on one account, those from one
   * network, or those of one browser that had signed in before.
   */
  tooManyAttempts(message: {
    kind: LimitKind
    provider: string
    by: 'account' | 'network' | 'browser'
    /** In seconds. */
    retryAfter: number
  }): Awaitable<void>
  /** A session was read. */
  session(message: { session: Session; token?: JWT }): Awaitable<void>
}

/** An event as data: what happened, for the listener that it is still to be reported to. */
export type AuthEvent = {
  readonly [Name in keyof EventCallbacks]: {
    readonly type: Name
    readonly message: Parameters<EventCallbacks[Name]>[0]
  }
}[keyof EventCallbacks]
