import type { Adapter, AdapterSession, AdapterUser, SessionCondition } from '../base/adapter.ts'
import type { Account, User } from '../base/user.ts'
import type { AccountIssuer } from './account-issuer.ts'
import type { ClaimMethods } from './claim-address.ts'
import type { MarkerMethods, SignUpMarkers } from './sign-up-marker.ts'

/** The methods that linking asks of an adapter, and those that it uses where they are there. */
export type AccountMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'linkAccount'>
> &
  Pick<
    Adapter,
    'createUserWithAccount' | 'linkAccountIf' | 'updateAccount' | 'getAccount' | 'deleteUser'
  > &
  ClaimMethods &
  MarkerMethods

/** Someone who came from a provider, and what is known of them. */
export interface ProviderSignIn {
  /** As the provider describes the person. */
  readonly user: User
  readonly account: Account
  readonly issuer: AccountIssuer
  /** The columns of the account that are stored. */
  readonly stored: Record<string, unknown>
  /** The user that has this account already. */
  readonly userByAccount: AdapterUser | null
  /** The user who began this in order to have the account added; null if someone wants to sign in. */
  readonly addTo: AdapterUser | null
  /** That user’s session in this browser at this moment, as a store can check it; null if the user is no longer signed in. */
  readonly findSession: () => Promise<SessionCondition | null>
  /** Throws if all sessions of the user were revoked since the sign-in began. Returns how a store can check that. */
  readonly requireUnrevoked: (userId: string) => Promise<SessionCondition>
  /** Whether the application lets an address that is vouched for decide. */
  readonly canLinkByEmail: boolean
  /** Whether the provider vouches for the address. */
  readonly isEmailProven: boolean
  /** Whether anybody may sign in as the user by what only the application stores. */
  readonly hasOwnSignInMethods: (user: AdapterUser) => Promise<boolean>
  readonly markers: SignUpMarkers
  /** A session to be stored together with a new user, where sessions are stored. */
  readonly session: Omit<AdapterSession, 'userId'> | null
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
}

/** The user that has the account now. */
export interface Linked {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  /** The session, if it was stored together with the user. */
  readonly session?: AdapterSession | null
}
