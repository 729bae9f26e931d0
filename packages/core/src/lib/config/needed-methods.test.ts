import { describe, expect, expectTypeOf, it } from 'vitest'
import { SECRET } from '../../../test/visitor.ts'
import type { AccountMethods } from '../account/provider-sign-in.ts'
import type { Adapter } from '../base/adapter.ts'
import type { PasskeyStore } from '../flows/passkey/passkey-store.ts'
import type { EmailStore } from '../flows/sign-in/email-store.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { SessionMethods } from '../session/database/session-methods.ts'
import { type Feature, NEEDED, type StoreFor } from './needed-methods.ts'
import { readSources } from './sources.ts'
import { findProblems } from './validation/validate-config.ts'

type RequiredName<Store> = {
  [Name in keyof Store]-?: undefined extends Store[Name] ? never : Name
}[keyof Store]

// A flow that starts to require a method that the check does not ask for fails here, at compile time.
it('is all that flows cast an adapter to', () => {
  // By name: the contract lets `deleteSession` return nothing, which these rows read as undefined.
  expectTypeOf<RequiredName<SessionMethods>>().toExtend<(typeof NEEDED)['database'][number]>()
  expectTypeOf<StoreFor<'database'>>().toExtend<StoreFor<'oauth'>>() // what is checked with database sessions
  expectTypeOf<StoreFor<'oauth'>>().toExtend<AccountMethods>()
  expectTypeOf<StoreFor<'email'>>().toExtend<EmailStore>()
  expectTypeOf<StoreFor<'password'>>().toExtend<EmailStore>()
  expectTypeOf<StoreFor<'webauthn'>>().toExtend<PasskeyStore>()
  // And that a store can lack what its feature does not need.
  expectTypeOf<StoreFor<'email'>>().not.toExtend<Required<Pick<Adapter, 'linkAccount'>>>()
})

const CASES = Object.entries(NEEDED).flatMap(([feature, names]) =>
  names.map(name => [feature as Feature, name] as const),
)

describe.each(CASES)('an adapter for %s without %s', (feature, missing) => {
  it('is reported with the name of the method', () => {
    const names = NEEDED[feature].filter(name => name !== missing)
    expect(missingFrom(feature, names)).toEqual([expect.stringContaining(`: ${missing}.`)])
    expect(missingFrom(feature, NEEDED[feature])).toEqual([])
  })
})

function missingFrom(feature: Feature, names: readonly string[]): readonly string[] {
  const provider = { id: 'some', name: 'Some', type: feature } as unknown as ProviderObject
  const providers = feature === 'database' ? [] : [[provider.id, provider] as const]
  const options = {
    secret: SECRET,
    trustHost: true,
    providers: [],
    session: { strategy: feature === 'database' ? ('database' as const) : ('jwt' as const) },
    adapter: Object.fromEntries(names.map(name => [name, () => null])) as Adapter,
  }
  return findProblems(readSources(options, { env: { NODE_ENV: 'test' } }), new Map(providers))
    .filter(({ type }) => type === 'MissingAdapterMethods')
    .map(({ message }) => message)
}
