import type {
  Account,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Awaitable,
  JWT,
  Profile,
  Session,
  User,
} from './model.ts'
import type { CallbackSession, CallbackUser } from './session-types.ts'

/** What the `signIn` callback receives. */
export interface SignInParams {
  user: User | AdapterUser
  account: Account | null
  /** What an OAuth provider said about the person. */
  profile?: Profile
  /** Set while a link is being asked for by email, and not when it is opened. */
  email?: { verificationRequest?: boolean }
  /** What was sent to a credentials provider. */
  credentials?: Record<string, unknown>
  /**
   * Whether the address in `user.email` is known to be this person's: a link sent to it was opened, or
   * the provider vouches for it. Look here before an address decides who may enter. Undefined for
   * credentials, where only your `authorize` can tell.
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
  /** At sign-in the claims to start with; later the claims of the cookie. */
  token: Token
  /** Present at sign-in only. */
  user: User | AdapterUser
  /** Present at sign-in only. */
  account?: Account | null
  /** Present at sign-in with an OAuth provider only. */
  profile?: Profile
  /** `signUp` where the adapter has just created the user. Absent when a session is merely read. */
  trigger?: 'signIn' | 'signUp' | 'update'
  /** @deprecated Use `trigger === 'signUp'`. */
  isNewUser?: boolean
  /** At sign-in: whether the address is known to be this person's. Undefined for credentials. */
  isEmailProven?: boolean
  /** What was sent with an update. It comes from the visitor: check it before you use it. */
  session?: unknown
}

/**
 * What the `session` callback receives. `token` with JWT sessions, `user` with a database. Of the user
 * all columns can be read, but copies have only what is shown anyway: name what you want to show.
 */
export type SessionParams<Token = JWT, Exposed extends string = never> = {
  session: CallbackSession<Exposed, Token>
  user: CallbackUser<Exposed, Token>
  token: Token
} & {
  /** What was sent with an update. It comes from the visitor: check it before you use it. */
  newSession: unknown
  trigger?: 'update'
}

/** The places at which an application decides. */
export interface Callbacks<Token = JWT, Sess = Session, Exposed extends string = never> {
  /**
   * May this person sign in? False refuses, a string sends the visitor there instead.
   * Throwing refuses too.
   */
  signIn(params: SignInParams): Awaitable<boolean | string>
  /** Where to go after signing in or out. By default only to this application. */
  redirect(params: RedirectParams): Awaitable<string>
  /** What the session token holds. Null ends the session. */
  jwt(params: JwtParams): Awaitable<Token | null>
  /** What the browser may see of a session. */
  session(params: SessionParams<Token, Exposed>): Awaitable<Sess>
}

/** Somebody has proved an address that a user had without proof. See the guide on accounts. */
export interface EmailClaim {
  email: string
  /** The user who had the address, as it was. */
  earlierUser: AdapterUser
  /**
   * `emptied`: the user is the owner's now, and everybody who was in it without proof was put out.
   * `released`: the user has given up the address, and the owner gets a user of their own.
   */
  outcome: 'emptied' | 'released'
  /** The accounts that were removed from the user. */
  accounts: readonly Pick<Account, 'provider' | 'providerAccountId' | 'type'>[]
  /** The passkeys that were removed. */
  passkeys: readonly Pick<AdapterAuthenticator, 'credentialID'>[]
  /** How many sessions were ended. */
  sessions: number
}

/** What an application can be told of. Listeners are awaited; one that throws is logged. */
export interface EventCallbacks {
  /** Somebody signed in. */
  signIn(message: {
    user: User
    account: Account | null
    profile?: Profile
    isNewUser?: boolean
  }): Awaitable<void>
  /** Somebody signed out. `session` with a database, `token` with JWT sessions. */
  signOut(
    message: { session: AdapterSession | null | undefined } | { token: JWT | null },
  ): Awaitable<void>
  /** The adapter has stored a new user. */
  createUser(message: { user: User }): Awaitable<void>
  /** The adapter has changed a user: the address was verified. */
  updateUser(message: { user: User }): Awaitable<void>
  /** An account of a provider now belongs to a user. */
  linkAccount(message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }): Awaitable<void>
  /**
   * Somebody has proved an address that a user had without proof. Whatever else lets people into that
   * user, such as a password of your own, has to go now. Throwing stops the owner from moving in: they
   * can try again.
   */
  emailClaimed(message: EmailClaim): Awaitable<void>
  /** A session was read. */
  session(message: { session: Session; token?: JWT }): Awaitable<void>
}
