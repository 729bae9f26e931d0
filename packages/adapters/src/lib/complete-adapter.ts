import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from '@siteauth/core/adapters'

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

/** Every method of the adapter contract, and a few beyond it. */
export interface CompleteAdapter extends Required<Adapter> {
  /**
   * Stores all three or nothing. Null when the address or the account belongs to somebody already,
   * so that of concurrent first sign-ins of one person one creates the user and the others find it.
   */
  createUserWithAccount(signUp: SignUp): Promise<SignedUp | null>
  /** Replaces the given members of a stored account, such as its tokens at a new sign-in. */
  updateAccount(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Promise<AdapterAccount | null>
  /** The user's sessions that have not expired. */
  listSessions(userId: string): Promise<AdapterSession[]>
  /** Signs the user out everywhere. Answers how many sessions there were. */
  deleteSessions(userId: string): Promise<number>
}
