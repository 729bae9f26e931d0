import type { Adapter } from '../../base/adapter.ts'
import type { HashMode } from './hash-session-tokens.ts'

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

type WithSessionToken = Exclude<keyof Adapter, WithoutSessionToken>

/** The methods that receive or return the token of a session. */
const HASHING: Readonly<Record<WithSessionToken, true>> = {
  createSession: true,
  getSessionAndUser: true,
  getAndRenewSession: true,
  updateSession: true,
  deleteSession: true,
  createUserWithAccount: true,
}

/** An adapter that receives hashes of session tokens. The code that makes them is loaded at its first use. */
export function hashedAdapter(store: Adapter, mode: HashMode): Adapter {
  let loading: Promise<Adapter> | undefined
  const load = () => {
    loading ??= import('./hash-session-tokens.ts').then(({ hashSessionTokens }) =>
      hashSessionTokens(store, mode),
    )
    return loading
  }
  const names = Object.keys(HASHING) as WithSessionToken[]
  const hashing = names
    .filter(name => store[name])
    .map(name => [
      name,
      async (...args: unknown[]) => {
        const method = (await load())[name] as (...args: unknown[]) => unknown // as the store has it
        return method(...args)
      },
    ])
  return { ...store, ...Object.fromEntries(hashing) }
}
