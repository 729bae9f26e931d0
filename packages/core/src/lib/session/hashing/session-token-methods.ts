import type { Adapter } from '../../base/adapter.ts'

/** The members of an adapter that neither receive nor return the token of a session. Lists name sessions as they are stored. */
export type WithoutSessionToken =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'linkAccount'
  | 'unlinkAccount'
  | 'getAccount'
  | 'updateAccount'
  | 'leaseAccount'
  | 'listAccounts'
  | 'createVerificationToken'
  | 'useVerificationToken'
  | 'getAuthenticator'
  | 'createAuthenticator'
  | 'listAuthenticatorsByUserId'
  | 'updateAuthenticatorCounter'
  | 'deleteAuthenticator'
  | 'listSessions'
  | 'deleteSessions'
  | 'deleteOtherSessions'
  | 'extends'
  | 'trackedSessions'
  | 'revocations'
  | 'limiter'
  | 'passwords'

/** The members that do. */
export type WithSessionToken = Exclude<keyof Adapter, WithoutSessionToken>
