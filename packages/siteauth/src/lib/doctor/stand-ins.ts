import type { Adapter } from '@siteauth/core/adapters'
import { Callable, someFunction, UNKNOWN } from '../code/reading.ts'

/** What an option is taken to be that is known only once the program runs: something sound. */
export const AT_RUN_TIME = 'known-only-at-run-time'

const STAND_INS: Readonly<Record<string, unknown>> = {
  clientId: AT_RUN_TIME,
  clientSecret: AT_RUN_TIME,
  apiKey: AT_RUN_TIME,
  from: 'somebody@run-time.invalid',
  server: 'smtp://run-time.invalid',
  issuer: 'https://run-time.invalid',
  authorize: someFunction,
}

/** A value without what cannot be known: that is sound, or left out. */
export function withStandIns(value: unknown, key = ''): unknown {
  if (value === UNKNOWN || value instanceof Callable) return STAND_INS[key]
  if (Array.isArray(value)) {
    return value.filter(each => each !== UNKNOWN).map(each => withStandIns(each))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .map(([name, each]): [string, unknown] => [name, withStandIns(each, name)])
    .filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries)
}

/** Whether a text stands for one that is not known. */
export function isStandIn(text: unknown): boolean {
  return text === AT_RUN_TIME || String(text).includes('run-time.invalid')
}

/** The members without which a configuration may be incomplete. A new member of the type needs a row here. */
const IS_REQUIRED: Readonly<Record<keyof Adapter, boolean>> = {
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: false,
  linkAccount: true,
  unlinkAccount: false,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  createVerificationToken: true,
  useVerificationToken: true,
  getAccount: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  deleteAuthenticator: false,
  passwords: true,
  revocations: true,
  // Optional in every configuration.
  getAndRenewSession: false,
  linkAccountIf: false,
  claimUser: false,
  createUserWithAccount: false,
  updateAccount: false,
  leaseAccount: false,
  listAccounts: false,
  listSessions: false,
  deleteSessions: false,
  deleteOtherSessions: false,
  trackedSessions: false,
  limiter: false,
  extends: false,
}

/**
 * Returns an adapter that has all that any configuration asks of one. Nothing of it is ever called. Each configuration gets
 * its own: the library compares the issuers of all configurations that share one.
 */
export function standInAdapter(): Adapter {
  const required = Object.entries(IS_REQUIRED).filter(([, isRequired]) => isRequired)
  return {
    ...Object.fromEntries(required.map(([name]) => [name, someFunction])),
    passwords: { get: someFunction, set: someFunction, remove: someFunction },
    revocations: { end: someFunction, find: someFunction, since: someFunction },
  } as unknown as Adapter // its functions answer nothing, which nobody finds out
}
