/** A value, or a promise of it. Callbacks may be written either way. */
export type Awaitable<T> = T | PromiseLike<T>

/** What a promise resolves to. Kept for code that imported it; the language has its own now. */
export type Awaited<T> = T extends PromiseLike<infer U> ? U : T

/** How a provider signs people in. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'

/** The fields of a user that the library itself knows. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/**
 * The person who signed in: what a provider's `profile` or `authorize` returned, or the stored
 * user. Add your own fields by augmenting this interface.
 */
export interface User extends DefaultUser {}

/** The fields of a session that the library itself knows. */
export interface DefaultSession {
  user?: User
  /** When the session ends, as an ISO date. */
  expires: string
}

/**
 * What `auth()`, `getSession()` and `GET session` answer. It reaches the browser, so it holds only
 * what the `session` callback put there. Add your own fields by augmenting this interface.
 */
export interface Session extends DefaultSession {}

/** The claims that the library itself puts into a session token. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  sub?: string
  iat?: number
  exp?: number
  jti?: string
}

/**
 * The content of the session cookie under the `jwt` strategy, encrypted. Add your own claims by
 * augmenting this interface.
 */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** What a token endpoint answered, plus the absolute time at which the access token expires. */
export interface TokenSet {
  access_token?: string
  refresh_token?: string
  id_token?: string
  scope?: string
  /** Always lower case: the value is case insensitive. */
  token_type?: Lowercase<string>
  /** Seconds until the access token expires, counted from the answer. */
  expires_in?: number
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
  [member: string]: unknown
}

/** Which provider was used to sign in, and what it handed over. */
export interface Account extends TokenSet {
  /** The provider's id, such as `github`. */
  provider: string
  /**
   * Who this is at the provider: the id from `profile()` for OAuth and OIDC, the address for email,
   * the `id` from `authorize()` for credentials.
   */
  providerAccountId: string
  type: ProviderType
  /** Id of the user who owns the account. */
  userId?: string
}

/** What a provider says about a person: the standard claims of OpenID Connect, and any others. */
export interface Profile {
  id?: string | null
  sub?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  picture?: unknown
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    formatted?: string | null
    street_address?: string | null
    locality?: string | null
    region?: string | null
    postal_code?: string | null
    country?: string | null
  } | null
  [claim: string]: unknown
}

/** A user as a store keeps it. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was shown to belong to the user, or null. */
  emailVerified: Date | null
}

/** The provider types whose accounts are stored. */
export type AdapterAccountType = Extract<ProviderType, 'oauth' | 'oidc' | 'email' | 'webauthn'>

/** An account as a store keeps it. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** A session as a store keeps it, under the `database` strategy. */
export interface AdapterSession {
  /** The value of the session cookie. */
  sessionToken: string
  userId: string
  expires: Date
}

/** A one-time token that was sent by email. `token` is a hash of what was sent. */
export interface VerificationToken {
  identifier: string
  expires: Date
  token: string
}

/** A passkey or other WebAuthn credential. */
export interface Authenticator {
  providerAccountId: string
  counter: number
  credentialBackedUp: boolean
  /** Base64. */
  credentialID: string
  /** Base64. */
  credentialPublicKey: string
  /** Separated by commas. */
  transports?: string | null
  credentialDeviceType: string
  userId?: string
}

/** A WebAuthn credential as a store keeps it. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** Somebody who signs up: the user, the account they came with, and perhaps their session. */
export interface SignUp {
  user: Omit<AdapterUser, 'id'> & { id?: string }
  account: Partial<AdapterAccount> & Pick<AdapterAccount, 'type' | 'provider' | 'providerAccountId'>
  session?: Omit<AdapterSession, 'userId'>
}

/** What a sign-up stored. */
export interface SignedUp {
  user: AdapterUser
  account: AdapterAccount
  session: AdapterSession | null
}

/** Which sessions `getAndRenewSession` extends, and to when. */
export interface SessionRenewal {
  /** A session that has ended by now is left as it is. */
  now: Date
  /** One that ends at this moment or sooner is due, */
  dueUntil: Date
  /** and so is one that ends later than this: sessions have become shorter since it was issued. */
  dueAfter: Date
  /** When a session that is due ends from now on. */
  expires: Date
}

/**
 * A store for users, accounts, sessions and one-time tokens. Which methods are needed depends on
 * what is configured; a missing one is reported at start-up, by name.
 */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>
  linkAccount?(
    account: AdapterAccount,
  ): Promise<void> | Awaitable<AdapterAccount | null | undefined>
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Promise<void> | Awaitable<AdapterAccount | undefined>
  createSession?(session: {
    sessionToken: string
    userId: string
    expires: Date
  }): Awaitable<AdapterSession>
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>
  createVerificationToken?(
    verificationToken: VerificationToken,
  ): Awaitable<VerificationToken | null | undefined>
  useVerificationToken?(params: {
    identifier: string
    token: string
  }): Awaitable<VerificationToken | null>
  getAccount?(
    providerAccountId: AdapterAccount['providerAccountId'],
    provider: AdapterAccount['provider'],
  ): Awaitable<AdapterAccount | null>
  getAuthenticator?(
    credentialID: AdapterAuthenticator['credentialID'],
  ): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(
    userId: AdapterAuthenticator['userId'],
  ): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(
    credentialID: AdapterAuthenticator['credentialID'],
    newCounter: AdapterAuthenticator['counter'],
  ): Awaitable<AdapterAuthenticator>
  /**
   * `getSessionAndUser` that also extends the session if it is due, in fewer round trips than the
   * two methods need one after the other. A session that is gone meanwhile is not brought back.
   * Beyond the contract of the library that we succeed; used where it is there.
   */
  getAndRenewSession?(
    sessionToken: string,
    renewal: SessionRenewal,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser; isRenewed: boolean } | null>
  /**
   * Gives a stored session another token, in one step. False where it is not there, or the other is
   * already. Beyond it, too.
   */
  renameSession?(sessionToken: string, renamed: string): Awaitable<boolean>
  /**
   * Stores all three or nothing. Null when the address or the account belongs to somebody already,
   * so that of concurrent first sign-ins of one person one creates the user and the others find it.
   * Beyond it, too.
   */
  createUserWithAccount?(signUp: SignUp): Awaitable<SignedUp | null>
  /** Replaces the given members of a stored account: its tokens, at a new sign-in. Beyond it, too. */
  updateAccount?(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterAccount | null>
  /** Every account of this user, in no particular order. Beyond it, too. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  /** The user's sessions that have not expired. For applications. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>
  /** Signs the user out everywhere. For applications. Answers how many sessions there were. */
  deleteSessions?(userId: string): Awaitable<number>
  /**
   * What was ended before its time: the sessions in cookies that must not be accepted any more. With it
   * they can be ended; see {@link RevocationLog}. Beyond it, too.
   */
  revocations?: RevocationLog
  /**
   * Removes a passkey of this user; null where this user has none of this id. For applications, which
   * unlink its account as well.
   */
  deleteAuthenticator?(
    authenticator: Pick<AdapterAuthenticator, 'userId' | 'credentialID'>,
  ): Awaitable<AdapterAuthenticator | null>
}

/**
 * What was ended, kept until nothing is left that it could end. Each process holds a copy of it in
 * memory, so that checking a session asks nobody; the store is where the processes meet. Only the clock
 * of the store counts: those of the processes are never compared.
 *
 * @example
 * ```ts
 * import { PostgresAdapter } from '@siteauth/adapters/postgres'
 *
 * const { revocations } = PostgresAdapter({ url: 'postgres://localhost/app' })
 * await revocations.end([{ key: 's:0f8c…', until: new Date('2030-01-31') }])
 * ```
 */
export interface RevocationLog {
  /**
   * Records these ends, all of them or none, and answers them as they are stored, in any order. Whoever
   * watches hears of them. An end that is there already keeps the later `until` and gets the higher
   * generation; where all of it is ended, that stays.
   */
  end(endings: readonly Ending[]): Awaitable<readonly Revocation[]>
  /** The ends of these keys that are there, also of some that are over. */
  find(keys: readonly string[]): Awaitable<readonly Revocation[]>
  /**
   * The ends recorded or changed at that time of the store or later; all that are there for null. Those
   * that are over are left out. And what time it is to the store, from before it looked.
   */
  since(time: Date | null): Awaitable<{
    readonly revocations: readonly Revocation[]
    readonly now: Date
  }>
  /**
   * Has somebody told of each end as soon as it is recorded, by any process. Messages may be lost while
   * the connection is: `onLost` says so, and watching goes on by itself once it is back. A store that
   * cannot be reached is lost from the start, and no error. Resolves when it listens or is lost, which may
   * take as long as the store may take to answer, with how to stop.
   */
  watch?(
    onEnded: (revocation: Revocation) => void,
    onLost: () => void,
  ): Awaitable<() => Awaitable<void>>
}

/** Something to end. */
export interface Ending {
  /** What is ended: at most 255 letters of ASCII, without blanks. */
  readonly key: string
  /** From when on nothing is left that it could end, and it may be forgotten. */
  readonly until: Date
  /**
   * Whether it ends only what began before it: the store gives it the next generation, higher than
   * every one that this key ever had.
   */
  readonly isGeneration?: boolean
}

/** Something that was ended. */
export interface Revocation {
  readonly key: string
  /** What has a lower one is ended. Null where all of it is. */
  readonly generation: number | null
  readonly until: Date
}
