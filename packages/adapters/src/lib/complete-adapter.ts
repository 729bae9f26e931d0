import type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  SignedUp,
  SignUp,
} from '@siteauth/core/adapters'

/** Every method of the adapter contract, and those that we add to it. */
export interface CompleteAdapter extends Required<Adapter> {
  createUserWithAccount(signUp: SignUp): Promise<SignedUp | null>
  updateAccount(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Promise<AdapterAccount | null>
  listAccounts(userId: string): Promise<AdapterAccount[]>
  listSessions(userId: string, limit?: number): Promise<AdapterSession[]>
  deleteSessions(userId: string): Promise<number>
  deleteOtherSessions(session: Pick<AdapterSession, 'userId' | 'sessionToken'>): Promise<number>
  /**
   * Removes sessions and one-time tokens that ended more than a day ago, and what was ended before its
   * time and would be over as long by now: a few at a time. Answers how many there were. To be called from
   * a schedule.
   */
  deleteExpired(): Promise<number>
}

export type { SignedUp, SignUp }
