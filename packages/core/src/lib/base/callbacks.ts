import type { AdapterAuthenticator, AdapterSession, AdapterUser } from './adapter.ts'
import type { Awaitable } from './awaitable.ts'
import type { JWT, Session } from './session.ts'
import type { CallbackSession, CallbackUser } from './session-types.ts'
import type { LimitKind } from './stores.ts'
import type { Account, Profile, User } from './user.ts'

/** What the `signIn` callback receives. */
export interface SignInParams {
  user: User | AdapterUser
  account: Account | null
  /** What an OAuth provider said about the person. */
  profile?: Profile
  /** Set while an email link is being requested, not when it is opened. */
  email?: { verificationRequest?: boolean }
  /** What was sent to a credentials provider. */
  credentials?: Record<string, unknown>
  /**
   * Whether the address in `user.email` is known to be this person's: a link sent to it was opened,
   * or the provider vouches for it. Check this before an address decides who may enter. Undefined
   * for credentials, where only your `authorize` can tell.
   */
  isEmailProven?: boolean
}

/** What the `redirect` callback receives. */
export interface RedirectParams {
  /** Where the visitor asked to go. */
  url: string
  /** The origin of the application. */
  baseUrl: string
}

/** What the `jwt` callback receives. */
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
 * What the `session` callback receives: `token` with JWT sessions, `user` with a database. All of
 * the user's columns can be read, but copies only contain what is shown anyway: name what you want
 * to show.
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
  /** What the session token contains. Null ends the session. */
  jwt(params: JwtParams): Awaitable<Token | null>
  /** What the browser may see of a session. */
  session(params: SessionParams<Token, Exposed>): Awaitable<Sess>
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
   * Somebody has signed out at a provider, and their sessions from there have ended: see `backChannelLogout`
   * and `frontChannelLogout`. Told once for each notice, also where there was nothing to end.
   */
  providerSignOut(message: {
    provider: string
    /** `front`: a page says so, which could be anybody's. */
    channel: 'back' | 'front'
    /** Whose account it is. Null if the provider names a session only, or nobody here has the account. */
    user: Pick<User, 'id'> | null
    /** Who it is at the provider. All their sessions from there have ended, unless there is a `sid`. */
    sub?: string
    /** Which session at the provider has ended: that of the claim `sid` in `profile`. */
    sid?: string
  }): Awaitable<void>
  /**
   * Somebody was told to wait: too many attempts. `by` says what was counted: those on one account, those
   * from one network, or those of one browser that had signed in before.
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
