import type { AdapterUser } from '@siteauth/core/adapters'
import type { CompleteAdapter } from './complete-adapter.ts'

// The methods of an adapter, by table. Every store has a file with the same name for each of them.

export type UserMethods = Pick<
  CompleteAdapter,
  'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser'
> & {
  deleteUser(userId: string): Promise<AdapterUser | null> | AdapterUser | null
}

export type AccountMethods = Pick<
  CompleteAdapter,
  'linkAccount' | 'unlinkAccount' | 'getAccount' | 'listAccounts'
>

export type LinkMethods = Pick<CompleteAdapter, 'linkAccountIf'>

export type ClaimMethods = Pick<CompleteAdapter, 'claimUser'>

/** The methods that lease an account, or end its lease. */
export type LeaseMethods = Pick<CompleteAdapter, 'updateAccount' | 'leaseAccount'>

export type SessionMethods = Pick<
  CompleteAdapter,
  | 'createSession'
  | 'getSessionAndUser'
  | 'getAndRenewSession'
  | 'updateSession'
  | 'deleteSession'
  | 'listSessions'
  | 'deleteSessions'
  | 'deleteOtherSessions'
>

export type VerificationTokenMethods = Pick<
  CompleteAdapter,
  'createVerificationToken' | 'useVerificationToken'
>

export type AuthenticatorMethods = Pick<
  CompleteAdapter,
  | 'createAuthenticator'
  | 'deleteAuthenticator'
  | 'getAuthenticator'
  | 'listAuthenticatorsByUserId'
  | 'updateAuthenticatorCounter'
>
