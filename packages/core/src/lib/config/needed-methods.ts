import type { Adapter } from '../base/adapter.ts'

/**
 * The members of an adapter that a feature cannot do without. The check of the configuration asks for them, and
 * {@link StoreFor} is the type of what passed the check.
 */
export const NEEDED = {
  database: [
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
  ],
  oauth: ['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'linkAccount'],
  email: [
    'createVerificationToken',
    'useVerificationToken',
    'getUserByEmail',
    'createUser',
    'updateUser',
  ],
  password: [
    'createVerificationToken',
    'useVerificationToken',
    'getUser',
    'getUserByEmail',
    'createUser',
    'updateUser',
    'passwords',
  ],
  webauthn: [
    'createUser',
    'getUser',
    'getUserByEmail',
    'linkAccount',
    'getAccount',
    'getAuthenticator',
    'createAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ],
} as const

/** A feature that needs an adapter. */
export type Feature = keyof typeof NEEDED

/** The store of a feature: an adapter that passed the check. All other members stay optional. */
export type StoreFor<Name extends Feature> = Readonly<Adapter> &
  Readonly<Required<Pick<Adapter, (typeof NEEDED)[Name][number]>>>
