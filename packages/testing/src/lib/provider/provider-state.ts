import type { ProviderFailure, SignInFailure } from './failure.ts'
import { type FakePerson, PEOPLE } from './fake-person.ts'
import type { FakeProviderOptions, ProviderChanges, SeenRequest } from './fake-provider.ts'
import { createGrants, type Grant, type Grants } from './grants.ts'
import { type SigningAlgorithm, type SigningKey, signingKey } from './signing-key.ts'

/** What a fake provider is, what it has granted, and what goes wrong with it: its endpoints share this. */
export interface ProviderState {
  readonly issuer: string
  readonly clientId: string
  /** Null if anybody is taken for the application. */
  readonly clientSecret: string | null
  readonly people: readonly [FakePerson, ...FakePerson[]]
  readonly algorithm: SigningAlgorithm
  readonly tokenLifetime: number
  readonly automatic: boolean
  readonly now: () => number
  readonly requests: SeenRequest[]
  readonly change: ProviderChanges
  readonly grants: Grants
  failures: ProviderFailure[]
  keyNumber: number
  key: SigningKey
}

export async function createProviderState(options: FakeProviderOptions): Promise<ProviderState> {
  const { algorithm = 'ES256', clientSecret = 'a secret of the client, for tests' } = options
  return {
    issuer: options.issuer ?? 'https://provider.example.com',
    clientId: options.clientId ?? 'test-client',
    clientSecret,
    people: options.people ?? PEOPLE,
    algorithm,
    tokenLifetime: options.tokenLifetimeSeconds ?? 3600,
    automatic: options.automatic ?? false,
    now: options.now ?? Date.now,
    requests: [],
    change: {},
    grants: createGrants(options.issueToken),
    failures: [],
    keyNumber: 1,
    key: await signingKey(algorithm, 1),
  }
}

/** The time in seconds, as tokens contain it. */
export function inSeconds({ now }: ProviderState): number {
  return Math.floor(now() / 1000)
}

/** Whether something goes wrong: everywhere, or with one sign-in. */
export function fails(
  { failures }: ProviderState,
  failure: SignInFailure,
  grant?: Pick<Grant, 'failure'>,
): boolean {
  return failures.includes(failure) || grant?.failure === failure
}

/** An issuer that is not the provider. */
export function otherThan(issuer: string): string {
  return issuer.replace('://', '://not-')
}
