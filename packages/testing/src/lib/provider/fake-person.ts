/** Somebody with an account at a fake provider: their claims. */
export interface FakePerson {
  /** Who this is at the provider. */
  readonly sub: string
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly email_verified?: boolean | undefined
  readonly picture?: string | undefined
  readonly [claim: string]: unknown
}

/** Who there is if a test names nobody. */
export const PEOPLE: readonly [FakePerson, ...FakePerson[]] = [
  { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
  { sub: 'ben', name: 'Ben Example', email: 'ben@example.com', email_verified: true },
]
