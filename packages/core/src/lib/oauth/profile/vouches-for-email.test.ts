import { describe, expect, it } from 'vitest'
import { OAuthProfileParseError } from '../../base/errors.ts'
import type { Profile, User } from '../../base/user.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { resolveOAuthProvider } from '../provider/resolve-provider.ts'
import { buildAccount } from './build-account.ts'

const ADA = 'ada@example.test'

/** Whether an address counts as proven, for somebody who comes from this provider. */
async function isProven(options: Partial<OAuthConfig<Profile>>, profile: object) {
  const provider = resolveOAuthProvider({
    id: 'op',
    name: 'OP',
    type: 'oauth',
    clientId: 'ID',
    clientSecret: 'SECRET',
    authorization: 'https://op.test/authorize',
    token: 'https://op.test/token',
    userinfo: 'https://op.test/me',
    ...options,
  } as OAuthConfig<Profile>) // `type` is one of the two
  if (provider instanceof Error) throw provider
  return (await buildAccount(provider, { sub: '1', ...profile }, {})).isEmailProven
}

describe('a provider vouches for an address', () => {
  it.each([[true], ['true']])('where email_verified is %j', async email_verified => {
    expect(await isProven({}, { email: ADA, email_verified })).toBe(true)
  })

  it.each([
    [undefined],
    [false],
    ['false'],
    [0],
    [1],
    ['1'],
    ['yes'],
    ['TRUE'],
    [''],
    [null],
    [{}],
    [[true]],
  ])('not where email_verified is %j', async email_verified => {
    expect(await isProven({}, { email: ADA, email_verified })).toBe(false)
  })

  it('not where nothing is said, or what is said is inherited', async () => {
    expect(await isProven({}, { email: ADA })).toBe(false)
    const heir = Object.create({ email_verified: true })
    expect(await isProven({ profile: () => ({ id: '1', email: ADA }) }, heir)).toBe(false)
  })

  it('in a field that the provider names, and then in no other', async () => {
    const emailVerified = 'verified'
    expect(await isProven({ emailVerified }, { email: ADA, verified: true })).toBe(true)
    expect(await isProven({ emailVerified }, { email: ADA, verified: 1 })).toBe(false)
    expect(await isProven({ emailVerified }, { email: ADA, email_verified: true })).toBe(false)
  })

  it('in a field of a field, or one whose name is a URL', async () => {
    const nested = { emailVerified: 'account.is_verified' }
    expect(await isProven(nested, { email: ADA, account: { is_verified: true } })).toBe(true)
    const url = 'https://op.test/email_verified'
    expect(await isProven({ emailVerified: url }, { email: ADA, [url]: true })).toBe(true)
  })

  it('by a function, of whose answers only true counts', async () => {
    const emailVerified = ({ confirmed_at }: Profile) => confirmed_at
    expect(await isProven({ emailVerified }, { email: ADA, confirmed_at: true })).toBe(true)
    expect(await isProven({ emailVerified }, { email: ADA, confirmed_at: '2026-01-01' })).toBe(
      false,
    )
    const late = async () => true
    expect(await isProven({ emailVerified: late }, { email: ADA })).toBe(false)
  })

  it('always, where it hands out nothing but proven addresses', async () => {
    expect(await isProven({ emailVerified: true }, { email: ADA })).toBe(true)
  })

  it('never, where the application says so', async () => {
    expect(await isProven({ emailVerified: false }, { email: ADA, email_verified: true })).toBe(
      false,
    )
  })

  it('but not without an address', async () => {
    expect(await isProven({ emailVerified: true }, {})).toBe(false)
    expect(await isProven({ emailVerified: true }, { email: 'no address' })).toBe(false)
  })

  it('is told which function of the application failed', async () => {
    const emailVerified = () => {
      throw new TypeError('flags of undefined')
    }
    const failed = isProven({ emailVerified }, { email: ADA })
    await expect(failed).rejects.toBeInstanceOf(OAuthProfileParseError)
    await expect(failed).rejects.toThrow('emailVerified() of "op" threw: flags of undefined')
  })
})

describe('the address that is vouched for', () => {
  const mapping = (map: (profile: Profile) => unknown) => ({
    profile: (profile: Profile) => ({ id: '1', email: map(profile) }) as User,
  })

  it('is the one that the provider sent, in whatever case', async () => {
    const upper = mapping(({ email }) => email?.toUpperCase())
    expect(await isProven(upper, { email: ADA, email_verified: true })).toBe(true)
  })

  it.each([[undefined], [true as const]])(
    'is no other that a mapping returns, with emailVerified: %j',
    async emailVerified => {
      const byName = {
        ...mapping(({ preferred_username }) => preferred_username),
        ...(emailVerified && { emailVerified }),
      }
      const profile = {
        email: 'mallory@example.test',
        email_verified: true,
        preferred_username: ADA,
      }
      expect(await isProven(byName, profile)).toBe(false)
    },
  )

  it('is not one that a mapping makes of signs that become others in lower case', async () => {
    const lower = mapping(({ email }) => email?.toLowerCase())
    const profile = { email: '\u212Aai@example.test', email_verified: true }
    expect(await isProven(lower, profile)).toBe(false)
  })

  it('may be in another field, if the provider says in which', async () => {
    const own = { ...mapping(({ mail }) => mail), emailVerified: true as const }
    expect(await isProven(own, { mail: ADA })).toBe(false)
    expect(await isProven({ ...own, emailField: 'mail' }, { mail: ADA })).toBe(true)
    expect(await isProven({ ...own, emailField: 'mail' }, { mail: 'x', email: ADA })).toBe(false)
  })

  it('may be one of several', async () => {
    const own = {
      ...mapping(({ chosen }) => chosen),
      emailVerified: true as const,
      emailField: ({ addresses }: Profile) => addresses,
    }
    const addresses = ['ada@work.test', ADA]
    expect(await isProven(own, { chosen: ADA, addresses })).toBe(true)
    expect(await isProven(own, { chosen: 'bob@work.test', addresses })).toBe(false)
  })
})
