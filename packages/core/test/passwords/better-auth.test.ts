import { betterAuth, importBetterAuth } from '@siteauth/core/passwords'
import { describe, expect, it } from 'vitest'
import { GOOD, passwordApplication, signIn, whoIsIn } from './application.ts'

// As Better Auth 1.x writes them.
const users = [
  { id: 'u1', name: 'Ann', email: 'ann@example.com', emailVerified: true, image: null },
  { id: 'u2', name: 'Ben', email: 'ben@example.com', emailVerified: false, image: null },
]
const password =
  '38d6e177c3a053b2f13e0c7add78ff30:dcceed585810bb519907b436b3a4c284b855884f0f50d4a6f6b48fdedda6c7195cc58bf923ff56e1dfb59b0bc58f995547a2f2e88c47e272e7be9367dd9c9f86'
const accounts = [
  { userId: 'u1', providerId: 'credential', accountId: 'u1', password },
  { userId: 'u2', providerId: 'credential', accountId: 'u2', password },
  { userId: 'u1', providerId: 'github', accountId: '42', accessToken: 'token', scope: 'a,b' },
  { userId: 'u2', providerId: 'microsoft', accountId: '43' },
]
const tables = {
  users,
  accounts,
  providers: { microsoft: 'microsoft-entra-id' },
  openId: ['microsoft-entra-id'],
}

describe('the tables of Better Auth', () => {
  it('become users who sign in with the same password, which is hashed anew', async () => {
    const app = passwordApplication({}, { verifiers: [betterAuth()] })
    expect(await importBetterAuth(app.adapter, tables)).toEqual({
      users: 2,
      passwords: 2,
      accounts: 2,
    })
    const visitor = app.visitor()
    expect(await signIn(visitor, 'ann@example.com', GOOD)).toBe('in')
    expect(await whoIsIn(visitor)).toBe('ann@example.com')
    expect((await app.adapter.passwords.get('u1'))?.hash).toMatch(/^\$scrypt\$/)
  })

  it('bring their accounts along, under the names that providers have here', async () => {
    const { adapter } = passwordApplication()
    await importBetterAuth(adapter, tables)
    expect(await adapter.getAccount('42', 'github')).toEqual({
      userId: 'u1',
      provider: 'github',
      providerAccountId: '42',
      type: 'oauth',
      access_token: 'token',
      scope: 'a b',
    })
    expect(await adapter.getAccount('43', 'microsoft-entra-id')).toMatchObject({ type: 'oidc' })
  })

  it('prove no address that was not proved there', async () => {
    const { adapter } = passwordApplication()
    await importBetterAuth(adapter, tables)
    expect((await adapter.getUser('u1'))?.emailVerified).toBeInstanceOf(Date)
    expect((await adapter.getUser('u2'))?.emailVerified).toBeNull()
  })

  it('can be imported once more, and change nothing that is there', async () => {
    const { adapter } = passwordApplication()
    await importBetterAuth(adapter, tables)
    await adapter.passwords.set({ userId: 'u1', hash: '$new', changedAt: new Date() })
    expect(await importBetterAuth(adapter, tables)).toEqual({ users: 0, passwords: 0, accounts: 0 })
    expect((await adapter.passwords.get('u1'))?.hash).toBe('$new')
  })
})
