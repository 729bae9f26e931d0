import type {
  AccountKey,
  AccountLease,
  Adapter,
  AdapterAccount,
  AdapterSession,
  ClaimedUser,
  ConditionalLink,
  CreatedSignUp,
  LinkOutcome,
  NewSignUp,
  RemainingSession,
  UserClaim,
} from '@siteauth/core/adapters'

/** Every method of the adapter contract, and those we add to it. */
export interface CompleteAdapter extends Required<Adapter> {
  createUserWithAccount(signUp: NewSignUp): Promise<CreatedSignUp | null>
  linkAccountIf(link: ConditionalLink): Promise<LinkOutcome>
  claimUser(claim: UserClaim): Promise<ClaimedUser | null>
  updateAccount(
    account: Partial<AdapterAccount> & AccountKey,
    held?: { readonly holder: string },
  ): Promise<AdapterAccount | null>
  leaseAccount(account: AccountKey, lease: AccountLease): Promise<AdapterAccount | null>
  listAccounts(userId: string): Promise<AdapterAccount[]>
  listSessions(userId: string, limit?: number): Promise<AdapterSession[]>
  deleteSessions(userId: string): Promise<number>
  deleteOtherSessions(session: RemainingSession): Promise<number>
  /**
   * Removes sessions and one-time tokens that expired more than a day ago, log entries of sessions that would have, and attempts
   * that count no more: a few at a time. Returns how many there were. Stores also remove them by themselves; see "Expired rows" in
   * the guide for what this is needed for.
   */
  deleteExpired(): Promise<number>
}

export type { CreatedSignUp, NewSignUp }
