import type { Adapter } from '../../base/adapter.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** Which members count, by the kind of provider that needs them. A new member belongs to one of these. */
const NEEDED_BY: Readonly<Record<keyof Adapter, 'all' | 'webauthn' | 'password' | 'none'>> = {
  createUser: 'all',
  getUser: 'all',
  getUserByEmail: 'all',
  getUserByAccount: 'all',
  updateUser: 'all',
  deleteUser: 'all',
  linkAccount: 'all',
  unlinkAccount: 'all',
  getAccount: 'all',
  updateAccount: 'all',
  leaseAccount: 'all',
  listAccounts: 'all',
  createUserWithAccount: 'all',
  linkAccountIf: 'all',
  claimUser: 'all',
  createSession: 'all',
  getSessionAndUser: 'all',
  getAndRenewSession: 'all',
  updateSession: 'all',
  deleteSession: 'all',
  listSessions: 'all',
  deleteOtherSessions: 'all',
  // The attempt ends the sessions of a user wherever they are.
  deleteSessions: 'none',
  createVerificationToken: 'all',
  useVerificationToken: 'all',
  getAuthenticator: 'webauthn',
  createAuthenticator: 'webauthn',
  listAuthenticatorsByUserId: 'webauthn',
  updateAuthenticatorCounter: 'webauthn',
  deleteAuthenticator: 'webauthn',
  extends: 'all',
  trackedSessions: 'all',
  revocations: 'all',
  limiter: 'all',
  passwords: 'password',
}

/**
 * The part of an adapter that decides who is in a user, and that ends their sessions, wherever those are. Passkeys and
 * passwords are left out if there is no provider for them: older databases have no table for them, whatever the adapter
 * can do.
 *
 * @param attempt the sign-in that ends their sessions; without one, none are ended
 */
export function claimableRows(
  { providers }: Pick<ResolvedConfig, 'providers'>,
  adapter: Readonly<Adapter>,
  attempt?: SignInAttempt,
): Readonly<Adapter> {
  const types = new Set<string>([...providers.values()].map(({ type }) => type)).add('all')
  const members = Object.entries(adapter).filter(([name]) =>
    types.has(NEEDED_BY[name as keyof Adapter]),
  )
  const endSessions = attempt?.endSessions
  return { ...Object.fromEntries(members), ...(endSessions && { deleteSessions: endSessions }) }
}
