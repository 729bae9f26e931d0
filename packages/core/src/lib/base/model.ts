/** A value, or a promise of it. Callbacks may be written either way. */
export type Awaitable<T> = T | PromiseLike<T>

/** What a promise resolves to. Kept for code that imported it; the language has its own now. */
export type Awaited<T> = T extends PromiseLike<infer U> ? U : T

/** How a provider signs people in. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn' | 'password'

/** What all providers have. */
export interface CommonProviderOptions {
  /** Identifies the provider in URLs, in the database and in environment variables. */
  id: string
  /** Shown on the sign-in page. */
  name: string
  type: ProviderType
}

/** The user fields the library itself uses. */
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

/** The session fields the library itself uses. */
export interface DefaultSession {
  user?: User
  /** When the session ends, as an ISO date. */
  expires: string
}

/**
 * What `auth()`, `getSession()` and `GET session` return. The browser can read it, so it only
 * contains what the `session` callback put there. Add your own fields by augmenting this interface.
 */
export interface Session extends DefaultSession {}

/** The claims the library itself puts into a session token. */
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
 * The contents of the session cookie with the `jwt` strategy, encrypted. Add your own claims by
 * augmenting this interface.
 */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** A token endpoint's response, plus the absolute time when the access token expires. */
export interface TokenSet {
  access_token?: string
  refresh_token?: string
  id_token?: string
  scope?: string
  /** Always lower case: the value is case-insensitive. */
  token_type?: Lowercase<string>
  /** Seconds from the response until the access token expires. */
  expires_in?: number
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
  [member: string]: unknown
}

/** Which provider was used to sign in, and what it sent. */
export interface Account extends TokenSet {
  /** The provider's id, such as `github`. */
  provider: string
  /**
   * Who this is at the provider: the id from `profile()` for OAuth and OIDC, the address for email,
   * the `id` from `authorize()` for credentials.
   */
  providerAccountId: string
  type: ProviderType
  /** The id of the user who owns the account. */
  userId?: string
}

/** What a provider says about a person: the standard OpenID Connect claims, and any others. */
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

/** A user as stored. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was proved to belong to the user, or null. */
  emailVerified: Date | null
}

/** The provider types whose accounts are stored. */
export type AdapterAccountType = Extract<ProviderType, 'oauth' | 'oidc' | 'email' | 'webauthn'>

/** An account as stored. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
  /**
   * Why the account's tokens can no longer be refreshed, and a mark of the refresh token that is true of.
   * Reaches adapters that take it: see {@link Adapter.extends}.
   */
  token_error?: string | null
  /** The key that the tokens are bound to, as a private JWK, for providers with `dpop`. The same. */
  dpop_key?: string | null
}

/** What names an account. */
export type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** Who refreshes an account's tokens, and for how long nobody else does. */
export interface AccountLease {
  /** Random: no two leases have the same. */
  readonly holder: string
  readonly until: Date
  readonly now: Date
}

/** What is known of a session beside whose it is: what the list of somebody's sessions tells them by. */
export interface SessionDetails {
  createdAt?: Date
  /** When it was last renewed. */
  lastSeenAt?: Date
  /** What the browser said of itself when it signed in. */
  userAgent?: string
  /** What the application calls it: see `session.describe`. */
  label?: string
  /** The id of the provider that somebody signed in with. */
  provider?: string
}

/**
 * A session as a store keeps it, under the `database` strategy. The details reach adapters that take them:
 * see {@link Adapter.extends}.
 */
export interface AdapterSession extends SessionDetails {
  /** The value of the session cookie. */
  sessionToken: string
  userId: string
  expires: Date
}

/** What is kept of a session whose token is in a cookie, so that it can be listed. */
export interface TrackedSession extends SessionDetails {
  /** What the session is ended by: at most 255 letters of ASCII. It signs nobody in. */
  id: string
  userId: string
  expires: Date
}

/** A one-time token sent by email. `token` is a hash of what was sent. */
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

/** A WebAuthn credential as stored. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** A person signing up: the user, the account they came with, and optionally their session. */
export interface NewSignUp {
  user: Omit<AdapterUser, 'id'> & { id?: string }
  account: Partial<AdapterAccount> & Pick<AdapterAccount, 'type' | 'provider' | 'providerAccountId'>
  session?: Omit<AdapterSession, 'userId'>
}

/** What a sign-up stored. */
export interface CreatedSignUp {
  user: AdapterUser
  account: AdapterAccount
  session: AdapterSession | null
}

/** Which sessions `getAndRenewSession` extends, and to when. */
export interface SessionRenewal {
  /** A session that has already ended is left as it is. */
  now: Date
  /** One that ends at or before this moment is due, */
  dueUntil: Date
  /** and so is one that ends after this: sessions have been shortened since it was issued. */
  dueAfter: Date
  /** The new end of a session that is due. */
  expires: Date
}

/**
 * A store for users, accounts, sessions and one-time tokens. Which methods are required depends on
 * the configuration; missing ones are reported by name at startup.
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
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
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
   * `getSessionAndUser`, but also extends the session if it is due, in fewer round trips than the
   * two methods need. A session deleted in the meantime is not brought back. Not part of the
   * Auth.js contract; used if present.
   */
  getAndRenewSession?(
    sessionToken: string,
    renewal: SessionRenewal,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser; isRenewed: boolean } | null>
  /**
   * Stores all three or nothing. Returns null if the address or the account already belongs to
   * someone, so that when one person's first sign-ins run concurrently, one creates the user and
   * the others find it. Not part of the Auth.js contract.
   */
  createUserWithAccount?(signUp: NewSignUp): Awaitable<CreatedSignUp | null>
  /**
   * Replaces the given properties of a stored account: its tokens, at a new sign-in or when they are
   * refreshed. A property that is null is emptied. Ends the account's lease; with `held`, changes
   * nothing and returns null unless that holder has it. Not part of the Auth.js contract.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & AccountKey,
    held?: { readonly holder: string },
  ): Awaitable<AdapterAccount | null>
  /**
   * Leases an account to whoever refreshes its tokens, unless somebody else has it until later than
   * `now`. Returns the account, or null if it is leased or not there. No lock: a lease whose holder
   * died ends by itself. A store with a clock of its own goes by that, and takes from the lease how
   * long it lasts: the clocks of servers differ. Not part of the Auth.js contract.
   */
  leaseAccount?(account: AccountKey, lease: AccountLease): Awaitable<AdapterAccount | null>
  /** All of the user's accounts, in no particular order. Not part of the Auth.js contract. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  /**
   * The user's sessions that have not expired, all of them or as many as are asked for: those that expire
   * last come first. An adapter that has this returns from `deleteSession` what it deleted, and to one caller only.
   */
  listSessions?(userId: string, limit?: number): Awaitable<AdapterSession[]>
  /** Signs the user out everywhere. For applications. Answers how many sessions there were. */
  deleteSessions?(userId: string): Awaitable<number>
  /** Deletes all sessions of a user but this one. Answers how many there were. Beyond it, too. */
  deleteOtherSessions?(session: Pick<AdapterSession, 'userId' | 'sessionToken'>): Awaitable<number>
  /**
   * The tables that take more than the contract has: of `sessions`, the {@link SessionDetails}; of
   * `accounts`, `token_error`, `dpop_key`, and tokens of any length. Adapters that know nothing of them would refuse
   * them.
   */
  readonly extends?: readonly ('sessions' | 'accounts')[]
  /** What is kept of sessions in cookies, for the list of them. See {@link TrackedSessions}. */
  trackedSessions?: TrackedSessions
  /**
   * A log of sessions in cookies that were ended early and must no longer be accepted; see {@link
   * RevocationLog}. Not part of the Auth.js contract.
   */
  revocations?: RevocationLog
  /** Counts attempts, for the limits; see {@link Limiter}. Not part of the Auth.js contract. */
  limiter?: Limiter
  /** The passwords of users; see {@link PasswordStore}. Not part of the Auth.js contract. */
  passwords?: PasswordStore
  /**
   * Removes one of the user's passkeys; returns null if the user has none with this id. For
   * applications, which must unlink its account as well.
   */
  deleteAuthenticator?(
    authenticator: Pick<AdapterAuthenticator, 'userId' | 'credentialID'>,
  ): Awaitable<AdapterAuthenticator | null>
}

/**
 * What was ended, kept until nothing is left for it to end. Each process keeps a copy in memory, so
 * checking a session needs no I/O; the processes share it through the store. Only the store's clock
 * counts: those of the processes are never compared.
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
   * Records these revocations, all or none, and returns their entries as stored, in any order. Watchers
   * are notified. An existing entry keeps the later `until` and gets the higher generation; if
   * everything is already ended, that stays.
   */
  end(revocations: readonly NewRevocation[]): Awaitable<readonly RevocationEntry[]>
  /** The existing entries for these keys, possibly including expired ones. */
  find(keys: readonly string[]): Awaitable<readonly RevocationEntry[]>
  /**
   * The entries recorded or changed at or after that time, by the store's clock; all of them for
   * null. Expired ones are left out. Also returns the store's time from before it looked.
   */
  since(time: Date | null): Awaitable<{
    readonly revocations: readonly RevocationEntry[]
    readonly now: Date
  }>
  /**
   * Reports each entry as soon as any process records it. Messages may be lost while the
   * connection is down: `onLost` says so, and watching resumes once it is back. An unreachable
   * store counts as lost from the start, not as an error. Resolves, with a function to stop, once
   * it is listening or lost, which may take as long as the store may take to respond.
   */
  watch?(
    onRevoked: (entry: RevocationEntry) => void,
    onLost: () => void,
  ): Awaitable<() => Awaitable<void>>
}

/**
 * Which sessions there are whose tokens are in cookies. Written when a session begins, is renewed or
 * ends, and read to list them: never to check one. Whether a session has ended, only the
 * {@link RevocationLog} knows.
 */
export interface TrackedSessions {
  add(session: TrackedSession): Awaitable<unknown>
  /** Whether it was there. */
  renew(
    session: Pick<TrackedSession, 'id' | 'userId' | 'expires' | 'lastSeenAt'>,
  ): Awaitable<boolean>
  /** Those of a user that have not expired, as many as are asked for: those that expire last come first. */
  list(userId: string, limit: number): Awaitable<readonly TrackedSession[]>
  remove(session: Pick<TrackedSession, 'id' | 'userId'>): Awaitable<unknown>
  /** Removes all of a user, but for one that may be named. */
  removeAll(userId: string, except?: string): Awaitable<unknown>
}

/** The password of a user, as a store keeps it. */
export interface StoredPassword {
  userId: string
  /** At most 255 letters of ASCII. It says how it was made. */
  hash: string
  changedAt: Date
}

/** Keeps one password for each user, apart from the user: nothing that reads users reads it. */
export interface PasswordStore {
  get(userId: string): Awaitable<StoredPassword | null>
  /**
   * Stores a password in place of the one that there is, if any. Where `replaces` is given, only in place of
   * one with that very hash, in one step with looking at it. Answers whether it was stored.
   */
  set(password: StoredPassword, replaces?: string): Awaitable<boolean>
  /** Answers whether there was one. */
  remove(userId: string): Awaitable<boolean>
}

/**
 * Counts attempts by key, for all processes that share it. Each `take` decides and counts in one step,
 * however many ask at once.
 */
export interface Limiter {
  /**
   * Counts one more attempt, if the rule allows one now. Answers 0 if so, else in how many milliseconds
   * the next one is allowed; one that is refused changes nothing.
   *
   * @param key at most 255 letters of ASCII, and always with the same rule
   * @param now the time in milliseconds since 1970, as the caller has it
   */
  take(key: string, rule: LimitRule, now: number): Awaitable<number>
  /** Forgets all attempts under a key. */
  forget(key: string): Awaitable<unknown>
}

/**
 * What is limited: `credentials`, `password` and `code` are what somebody can guess, `email` is a message
 * that somebody gets, `passkey` the options for one, `callback` the end of a sign-in that began elsewhere,
 * and `refresh` the renewal of a provider's tokens.
 */
export type LimitKind =
  | 'credentials'
  | 'password'
  | 'code'
  | 'email'
  | 'passkey'
  | 'callback'
  | 'refresh'

/** How many attempts are allowed. Times are in seconds, as in all options. */
export interface LimitRule {
  /** How many attempts are allowed at once. */
  readonly burst: number
  /** How many seconds pass until one more attempt is allowed. */
  readonly refillSeconds: number
  /**
   * With this, each attempt in a row beyond the burst waits twice as long as the one before, up to this many seconds. In a
   * row are attempts that were not forgotten, by {@link Limiter.forget} or after `forgetAfterSeconds`.
   */
  readonly maxDelaySeconds?: number
  /** From this many failures in a row on, the next attempt is a day away. */
  readonly maxFailures?: number
  /** How many seconds attempts in a row are remembered. */
  readonly forgetAfterSeconds?: number
}

/** A revocation to record: what is ended from now on. */
export interface NewRevocation {
  /** What is ended: at most 255 ASCII characters, without spaces. */
  readonly key: string
  /** When nothing is left for it to end, so it may be forgotten. */
  readonly until: Date
  /**
   * Whether it only ends what began before it: the store gives it the next generation, higher than
   * any this key ever had.
   */
  readonly isGeneration?: boolean
  /**
   * With `isGeneration`, the lowest generation it may get, instead of the store's time: for revocations
   * that go by the clock of somebody else.
   */
  readonly generation?: number
}

/** What a revocation log has stored: something that was ended. */
export interface RevocationEntry {
  readonly key: string
  /** Anything with a lower one is ended. Null if everything is. */
  readonly generation: number | null
  readonly until: Date
}

// Seconds and their fraction are optional, the time zone is not.
const isoDateTime =
  /\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[+-][0-2]\d:[0-5]\d|Z)/

/** Whether a value is a text with a full ISO date and time, as adapters store dates as text. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}
