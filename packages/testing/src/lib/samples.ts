import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { RequiredAdapter } from './adapter-case.ts'

const HOUR = 3_600_000

/** What a store may lose of a date: the fraction of its second. */
const DATE_TOLERANCE_MS = 1000

/** A user who was not stored yet, unlike any other. */
export function sampleUser(overrides: Partial<AdapterUser> = {}): AdapterUser {
  const id = crypto.randomUUID()
  return {
    id,
    name: 'Ada Lovelace',
    email: `${id}@example.com`,
    emailVerified: null,
    image: 'https://example.com/ada.png',
    ...overrides,
  }
}

/** A stored user. */
export async function storeUser(
  adapter: RequiredAdapter,
  overrides: Partial<AdapterUser> = {},
): Promise<AdapterUser> {
  return adapter.createUser(sampleUser(overrides))
}

export function sampleAccount(
  userId: string,
  overrides: Partial<AdapterAccount> = {},
): AdapterAccount {
  return {
    userId,
    type: 'oauth',
    provider: 'github',
    providerAccountId: crypto.randomUUID(),
    access_token: 'access',
    refresh_token: 'refresh',
    id_token: 'header.payload.signature',
    expires_at: 1_900_000_000,
    scope: 'user email',
    token_type: 'bearer',
    session_state: 'state',
    ...overrides,
  }
}

export function sampleSession(
  userId: string,
  overrides: Partial<AdapterSession> = {},
): AdapterSession {
  return { sessionToken: crypto.randomUUID(), userId, expires: inHours(24), ...overrides }
}

export function sampleToken(overrides: Partial<VerificationToken> = {}): VerificationToken {
  return {
    identifier: `${crypto.randomUUID()}@example.com`,
    token: crypto.randomUUID().replaceAll('-', '').padEnd(64, '0'),
    expires: inHours(1),
    ...overrides,
  }
}

export function sampleAuthenticator(
  userId: string,
  overrides: Partial<AdapterAuthenticator> = {},
): AdapterAuthenticator {
  return {
    userId,
    credentialID: btoa(crypto.randomUUID()),
    providerAccountId: btoa(crypto.randomUUID()),
    credentialPublicKey: btoa('a public key, as bytes'),
    counter: 0,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'internal,hybrid',
    ...overrides,
  }
}

/** A moment that many hours away, with milliseconds that are not zero. */
export function inHours(hours: number): Date {
  const date = new Date(Date.now() + hours * HOUR)
  date.setMilliseconds(123)
  return date
}

/** The user whom an account belongs to, asked for with what the contract says and nothing else. */
export async function ownerOf(
  adapter: RequiredAdapter,
  { provider, providerAccountId }: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
): Promise<AdapterUser | null> {
  return adapter.getUserByAccount({ provider, providerAccountId })
}

/** Fails unless the value is a Date and within the tolerance of the other. */
export function expectDate(
  actual: unknown,
  expected: Date,
  toleranceMs: number = DATE_TOLERANCE_MS,
): void {
  expect(actual).toBeInstanceOf(Date)
  // Sound: the line above throws for anything else.
  const difference = Math.abs((actual as Date).getTime() - expected.getTime())
  expect(difference, 'milliseconds between the dates').toBeLessThanOrEqual(toleranceMs)
}

/** Fails unless both have the same id, name, address and image. */
export function expectUser(actual: AdapterUser | null, expected: AdapterUser): void {
  expect(actual).toMatchObject({
    id: expected.id,
    name: expected.name,
    email: expected.email,
    image: expected.image,
  })
}

/** Fails unless the session is that of the user, with that token and about that expiry. */
export function expectSession(actual: unknown, expected: AdapterSession): void {
  expect(actual).toMatchObject({ sessionToken: expected.sessionToken, userId: expected.userId })
  // Sound: matched as an object just now.
  expectDate((actual as AdapterSession).expires, expected.expires)
}
