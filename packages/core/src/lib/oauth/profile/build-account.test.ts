import { describe, expect, it } from 'vitest'
import { OAuthProfileParseError } from '../../base/errors.ts'
import type { Profile, User } from '../../base/user.ts'
import { buildAccount, stableUserId } from './build-account.ts'

const ISSUER = 'https://op.test/'

const op = {
  id: 'op',
  type: 'oidc',
  issuer: ISSUER,
  discovery: undefined,
  token: { url: undefined, params: [] },
  emailVerified: 'email_verified',
  emailField: 'email',
} as const

const build = (user: unknown, profile: Profile = {}) =>
  buildAccount({ ...op, profile: () => user as User }, profile, {
    access_token: 'at',
    token_type: 'bearer',
    expires_at: 1,
    custom: 'kept',
  })

describe('an account', () => {
  it('holds all tokens and who this is', async () => {
    const raw = { sub: 'ada', extra: 1 }
    const { account, user, profile } = await build({ id: 'ada', name: 'Ada', role: 'admin' }, raw)
    expect(account).toEqual({
      access_token: 'at',
      token_type: 'bearer',
      expires_at: 1,
      custom: 'kept',
      provider: 'op',
      type: 'oidc',
      providerAccountId: 'ada',
    })
    expect(user).toEqual({
      id: await stableUserId('op', ISSUER, 'ada'),
      name: 'Ada',
      role: 'admin',
    })
    expect(profile).toBe(raw)
  })

  it.each([
    [0, '0'],
    [42, '42'],
    [42n, '42'],
    ['0042', '0042'],
  ])('with the id %s is that of %j', async (id, expected) => {
    expect((await build({ id })).account.providerAccountId).toBe(expected)
  })

  it.each([
    [undefined],
    [null],
    [''],
    [' '],
    [Number.NaN],
    [1.5],
    [2 ** 53],
    [{}],
    [[]],
    [true],
    ['undefined'],
    ['null'],
    ['[object Object]'],
  ])('is not made for the id %j, which several people could share', async id => {
    await expect(build({ id })).rejects.toBeInstanceOf(OAuthProfileParseError)
  })

  it.each([[null], [undefined], ['user']])('is not made of %j instead of a user', async user => {
    await expect(build(user)).rejects.toBeInstanceOf(OAuthProfileParseError)
  })

  it('is not made where profile() throws, and the reason is kept', async () => {
    const err = new TypeError('picture of undefined')
    const profile = () => {
      throw err
    }
    const failed = buildAccount({ ...op, profile }, {}, {})
    await expect(failed).rejects.toMatchObject({
      type: 'OAuthProfileParseError',
      cause: { err, provider: 'op' },
    })
  })

  it('of a hostile profile changes nothing but itself', async () => {
    const hostile = JSON.parse('{"id":"x","__proto__":{"admin":true}}')
    const { user } = await build(hostile)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    expect((user as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('an address', () => {
  it.each([
    ['Ada@Example.TEST', 'ada@example.test'],
    ['ada+x@example.test', 'ada+x@example.test'],
    ['älter@example.test', 'älter@example.test'],
    ['\u212Aai@example.test', null],
    ['=?utf-8?q?ann=40example.test?=@evil.test', null],
    ['a@b@c.test', null],
    ['attacker@evil.test\uff20victim.test', null],
    ['"a b"@c.test', null],
    ['a@x.test,b@y.test', null],
    ['<a@x.test>', null],
    ['a@x.test\r\nBcc: b@y.test', null],
    ['a\u0000@x.test', null],
    ['@x.test', null],
    ['a@', null],
    ['', null],
    [null, null],
    [42, null],
  ])('%j becomes %j', async (email, expected) => {
    expect((await build({ id: '1', email })).user.email).toBe(expected)
  })

  it('that is not there stays away', async () => {
    expect((await build({ id: '1' })).user).not.toHaveProperty('email')
  })
})

describe('the id of a user', () => {
  it('is a UUID that depends on provider, server and account, and on nothing else', async () => {
    const id = await stableUserId('github', 'https://a.test/', '1')
    expect(id).toBe(await stableUserId('github', 'https://a.test/', '1'))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const others = [
      ['google', 'https://a.test/', '1'],
      ['github', 'https://b.test/', '1'],
      ['github', undefined, '1'],
      ['github', 'https://a.test/', '2'],
      ['github","https://a.test/","1', undefined, ''],
    ] as const
    const ids = await Promise.all(others.map(([one, two, three]) => stableUserId(one, two, three)))
    expect(new Set([id, ...ids]).size).toBe(6)
  })

  it.each([
    [{ ...op }, 'https://op.test/'],
    [{ ...op, issuer: 'https://op.test' }, 'https://op.test/'],
    [
      { ...op, issuer: undefined, token: { ...op.token, url: 'https://t.test/x' } },
      'https://t.test/x',
    ],
  ])('is of the issuer or else of the token endpoint: %j', async (at, expected) => {
    const provider = { ...at, id: 'op', type: 'oauth', profile: () => ({ id: '1' }) } as const
    const { user } = await buildAccount(provider, {}, {})
    expect(user.id).toBe(await stableUserId('op', expected, '1'))
  })

  it('never changes: people are known by it', async () => {
    expect(await stableUserId('github', 'https://github.com/login', '1')).toMatchInlineSnapshot(
      `"3b4e0999-aeba-8521-9565-0e8f76c2a52a"`,
    )
  })
})
