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
  listSessions(userId: string): Promise<AdapterSession[]>
  deleteSessions(userId: string): Promise<number>
}

export type { SignedUp, SignUp }
