import type { Awaitable } from './awaitable.ts'
import type { ProviderType } from './provider-type.ts'
import type { SessionDetails } from './session.ts'
import type { Limiter, PasswordStore, RevocationLog, TrackedSessions } from './stores.ts'
import type { Account, User } from './user.ts'

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
  /**
   * The issuer that has identified the account. Null if that is not known, as in rows of Auth.js. Reaches adapters that
   * take it: see {@link Adapter.extends}.
   */
  issuer?: string | null
}

/** The key of an account. */
export type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** The process that refreshes an account's tokens, or unlinks an account of its user, and until when it is the only one. */
export interface AccountLease {
  /** Random: no two leases have the same. One that unlinks begins with `unlink:`. */
  readonly holder: string
  readonly until: Date
  readonly now: Date
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

/** A one-time token sent by email. `token` is a hash of the text that was sent. */
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

/** The keys by which a session, or an attempt to sign in, can be revoked. */
export interface RevocationCondition {
  /** The log that was asked whether they were. Compared by identity: a store can only answer for its own. */
  readonly log: RevocationLog
  /** None of them has an entry without a generation, or with a higher generation than given here. */
  readonly keys: readonly { readonly key: string; readonly generation: number }[]
}

/** What linking was allowed by, and must still be true when the account is stored. */
export interface LinkCondition {
  /** The user, as it was read: the same address, proved or not proved as it was then. */
  readonly user: Pick<AdapterUser, 'email' | 'emailVerified'>
  /** The session by which the user asked for it: it exists, is the user's, and has not expired by the store's clock. */
  readonly sessionToken?: string
  readonly unrevoked?: RevocationCondition
}

/** The part of a condition that is not about the user row. Empty if nothing of it can change. */
export type SessionCondition = Omit<LinkCondition, 'user'>

/** An account to link, and the passkey that it stands for, if it does. Both belong to the same user. */
export interface ConditionalLink {
  readonly account: AdapterAccount
  readonly authenticator?: AdapterAuthenticator
  readonly condition: LinkCondition
}

/**
 * What became of a {@link ConditionalLink}. Unless it was stored, nothing was.
 *
 * - `linked`: It was stored, and the condition held.
 * - `unchecked`: It was stored, but whether anything was revoked could not be checked in the same step: the log is another
 *   store's. The caller asks the log, and removes what was stored if it was.
 * - `taken`: The account or the passkey belongs to a user already.
 * - `changed`: The condition no longer holds.
 */
export type LinkOutcome = 'linked' | 'unchecked' | 'taken' | 'changed'

/** The proof of an address, for which a user makes room. */
export interface UserClaim {
  /** The user as it was read. Nothing happens if the address was proved since, or is another one. */
  readonly user: Pick<AdapterUser, 'id' | 'email'>
  /** When the address was proved; null if everyone is only to be removed. */
  readonly emailVerified: Date | null
  /**
   * The account of the person who has proved the address. With it, nothing is removed, and nothing happens if the user has
   * anything else to sign in with.
   */
  readonly account?: AccountKey
}

/** What was removed from a claimed user. */
export interface ClaimedUser {
  /** The user with the proved address. Null if it was not to be stored, or if accounts, passkeys or a password were removed. */
  readonly user: AdapterUser | null
  readonly accounts: readonly Pick<AdapterAccount, 'provider' | 'providerAccountId' | 'type'>[]
  readonly passkeys: readonly Pick<AdapterAuthenticator, 'credentialID'>[]
  readonly hadPassword: boolean
  readonly sessions: number
}

/** A person signing up: the user, the account they came with, and optionally their session. */
export interface NewSignUp {
  user: Omit<AdapterUser, 'id'> & { id?: string }
  account: Partial<AdapterAccount> & Pick<AdapterAccount, 'type' | 'provider' | 'providerAccountId'>
  session?: Omit<AdapterSession, 'userId'>
}

/** The result of a sign-up. */
export interface CreatedSignUp {
  user: AdapterUser
  account: AdapterAccount
  session: AdapterSession | null
}

/**
 * The session that `deleteOtherSessions` does not delete.
 *
 * @example
 * ```ts
 * import type { RemainingSession } from '@siteauth/core/adapters'
 *
 * export const tokensOf = ({ sessionToken, successors = [] }: RemainingSession): string[] => [sessionToken, ...successors]
 * ```
 */
export interface RemainingSession {
  userId: string
  sessionToken: string
  /** Tokens of the same session: if it gets a new one at this moment, it has several rows. They stay as well. */
  successors?: readonly string[]
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
  /**
   * Changes the given properties of a user. With `whileUnproved`, which is not part of the Auth.js contract, nothing is changed once
   * the address is proved, in one step with the comparison, and the user is returned as it is.
   */
  updateUser?(
    user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>,
    only?: { readonly whileUnproved: boolean },
  ): Awaitable<AdapterUser>
  /**
   * Deletes a user with everything that belongs to it. An adapter with `revocations` also records there that the sessions
   * of the user are revoked: see `userRevocation`.
   */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>
  linkAccount?(
    account: AdapterAccount,
  ): Promise<void> | Awaitable<AdapterAccount | null | undefined>
  /** With `only`, which is not part of the Auth.js contract, an account of another user is not unlinked. */
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
    only?: { readonly userId: string },
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
  /**
   * Stores the counter of a passkey. With `from`, which is not part of the Auth.js contract, only in place of that very value, in
   * one step with the comparison; null if it is another by now, since somebody has used the passkey, or a copy of it.
   */
  updateAuthenticatorCounter?(
    credentialID: AdapterAuthenticator['credentialID'],
    newCounter: AdapterAuthenticator['counter'],
    from?: AdapterAuthenticator['counter'],
  ): Awaitable<AdapterAuthenticator | null>
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
   * Links an account if the condition holds, in one step with the check: one statement, transaction or script. Otherwise a
   * request that is interrupted, or slow, links the account of an attacker to a user whose address its owner has proved in
   * the meantime. Concurrent changes of the user row have to wait, or this has to: in databases whose transactions see only
   * what was committed, the row is locked first. Not part of the Auth.js contract.
   *
   * @example
   * ```ts
   * import type { Adapter } from '@siteauth/core/adapters'
   *
   * export const linkAccountIf: Adapter['linkAccountIf'] = ({ account, authenticator, condition }) =>
   *   inTransaction(async rows => {
   *     const { user, sessionToken, unrevoked } = condition
   *     const current = await rows.lockUser(account.userId) // select … for update
   *     const isProved = current?.emailVerified != null
   *     if (current?.email !== user.email || isProved !== (user.emailVerified != null)) return 'changed'
   *     if (sessionToken && !(await rows.hasSession(account.userId, sessionToken))) return 'changed'
   *     const isStored = await rows.insert(account, authenticator)
   *     if (!isStored) return 'taken'
   *     return unrevoked ? 'unchecked' : 'linked'
   *   })
   *
   * // your database
   * declare function inTransaction<T>(act: (rows: Rows) => Promise<T>): Promise<T>
   * interface Rows {
   *   lockUser(id: string): Promise<{ email: string; emailVerified: Date | null } | null>
   *   hasSession(userId: string, sessionToken: string): Promise<boolean>
   *   insert(...rows: readonly (object | undefined)[]): Promise<boolean>
   * }
   * ```
   */
  linkAccountIf?(link: ConditionalLink): Awaitable<LinkOutcome>
  /**
   * Makes room for the owner of an address in a user that nobody has proved: in one step, it removes what the store has of
   * the user's accounts, passkeys, password and sessions, and stores that the address is proved if there was none of the first three.
   * Null if the user has changed. Otherwise an account that is linked at the same moment stays in the owner's user.
   * `linkAccountIf` has to wait for it, or it for that. Not part of the Auth.js contract.
   *
   * @example
   * ```ts
   * import type { Adapter } from '@siteauth/core/adapters'
   *
   * export const claimUser: Adapter['claimUser'] = ({ user, emailVerified, account }) =>
   *   inTransaction(async rows => {
   *     const current = await rows.lockUser(user.id) // select … for update
   *     if (current?.email !== user.email || current.emailVerified) return null
   *     const { accounts, passkeys, hadPassword } = await rows.credentialsOf(user.id)
   *     const count = accounts.length + passkeys.length + Number(hadPassword)
   *     if (account && (count > 1 || !(await rows.isLinked(user.id, account)))) return null
   *     const sessions = account ? 0 : await rows.removeEverything(user.id)
   *     const isProved = emailVerified !== null && (account !== undefined || count === 0)
   *     const proved = isProved ? await rows.updateUser(user.id, { emailVerified }) : null
   *     const removed = account ? { accounts: [], passkeys: [] } : { accounts, passkeys }
   *     return { user: proved, ...removed, hadPassword, sessions }
   *   })
   *
   * // your database
   * import type { AccountKey, AdapterUser, ClaimedUser } from '@siteauth/core/adapters'
   * declare function inTransaction<T>(act: (rows: Rows) => Promise<T>): Promise<T>
   * interface Rows {
   *   lockUser(id: string): Promise<AdapterUser | null>
   *   credentialsOf(id: string): Promise<Pick<ClaimedUser, 'accounts' | 'passkeys' | 'hadPassword'>>
   *   isLinked(id: string, account: AccountKey): Promise<boolean>
   *   removeEverything(id: string): Promise<number>
   *   updateUser(id: string, changes: Partial<AdapterUser>): Promise<AdapterUser>
   * }
   * ```
   */
  claimUser?(claim: UserClaim): Awaitable<ClaimedUser | null>
  /**
   * Replaces the given properties of a stored account: its tokens, at a new sign-in or when they are
   * refreshed. A property that is null is emptied. Ends the account's lease, but not one whose holder begins with `unlink:`; with
   * `held`, ends that holder's, and changes nothing and returns null unless that holder has it. Not part of the Auth.js contract.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & AccountKey,
    held?: { readonly holder: string },
  ): Awaitable<AdapterAccount | null>
  /**
   * Leases an account to the process that refreshes its tokens, unless another one has it until later than `now`.
   * Returns the account, or null if it is leased or does not exist. It is not a lock: a lease whose holder died ends
   * by itself. A store with a clock of its own goes by that, and takes from the lease how long it lasts: the clocks
   * of servers differ. Not part of the Auth.js contract.
   */
  leaseAccount?(account: AccountKey, lease: AccountLease): Awaitable<AdapterAccount | null>
  /** All of the user's accounts, in no particular order. Not part of the Auth.js contract. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  /**
   * The user's sessions that have not expired, all of them or as many as are asked for: those that expire
   * last come first. An adapter that has this returns from `deleteSession` what it deleted, and to one caller only.
   */
  listSessions?(userId: string, limit?: number): Awaitable<AdapterSession[]>
  /**
   * Signs the user out everywhere. For applications. Returns how many sessions there were. One that gets a new token
   * meanwhile, as a new row before the old one goes, is deleted as well.
   */
  deleteSessions?(userId: string): Awaitable<number>
  /** Does the same to all sessions of a user but one. Not part of the Auth.js contract. */
  deleteOtherSessions?(session: RemainingSession): Awaitable<number>
  /**
   * The additions to the contract that the adapter takes: `sessions`, the {@link SessionDetails} of sessions; `accounts`, of
   * accounts `token_error`, `dpop_key`, and tokens of any length; `issuers`, the `issuer` of accounts, which takes
   * `getAccount` as well. Adapters that know nothing of them would refuse them.
   */
  readonly extends?: readonly ('sessions' | 'accounts' | 'issuers')[]
  /** The list of sessions in cookies. See {@link TrackedSessions}. */
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
   * Removes one of the user's passkeys; returns null if the user does not have one with this id. For applications,
   * which must unlink its account as well.
   */
  deleteAuthenticator?(
    authenticator: Pick<AdapterAuthenticator, 'userId' | 'credentialID'>,
  ): Awaitable<AdapterAuthenticator | null>
}
