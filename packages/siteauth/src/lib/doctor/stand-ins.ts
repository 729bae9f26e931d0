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

const METHODS = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const satisfies readonly (keyof Adapter)[]

/**
 * Returns an adapter that has all that any configuration asks of one. Nothing of it is ever called. Each configuration gets
 * its own: the library compares the issuers of all configurations that share one.
 */
export function standInAdapter(): Adapter {
  return {
    ...Object.fromEntries(METHODS.map(name => [name, someFunction])),
    passwords: { get: someFunction, set: someFunction, remove: someFunction },
    revocations: { end: someFunction, find: someFunction, since: someFunction },
  } as unknown as Adapter // its functions answer nothing, which nobody finds out
}
