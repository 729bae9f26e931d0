import { beforeAll, describe, expect, it } from 'vitest'
import type { CompleteAdapter, NewSignUp } from '../src/memory.ts'

/** What our adapters can do beyond the contract, the same for each of them. */
export function extraMethods(name: string, create: () => Promise<CompleteAdapter>): void {
  describe(`beyond the contract: ${name}`, () => {
    let adapter: CompleteAdapter
    beforeAll(async () => {
      adapter = await create()
    })

    it('stores a user, an account and a session together', async () => {
      const signUp = sampleSignUp()
      const stored = await adapter.createUserWithAccount(signUp)
      expect(stored?.user).toMatchObject({ email: signUp.user.email, name: signUp.user.name })
      expect(stored?.account).toMatchObject({ ...signUp.account, userId: stored?.user.id })
      const { sessionToken } = signUp.session
      const found = await adapter.getSessionAndUser(sessionToken)
      expect(found?.user.id).toBe(stored?.user.id)
      expect(found?.session.expires).toEqual(signUp.session.expires)
      expect((await adapter.getUserByAccount(signUp.account))?.id).toBe(stored?.user.id)
    })

    it('stores a user and an account without a session', async () => {
      const { user, account } = sampleSignUp()
      const stored = await adapter.createUserWithAccount({ user, account })
      expect(stored?.session).toBeNull()
      expect((await adapter.getUserByEmail(user.email))?.id).toBe(stored?.user.id)
    })

    it('stores nothing when the account belongs to somebody', async () => {
      const [first, second] = [sampleSignUp(), sampleSignUp()]
      await adapter.createUserWithAccount(first)
      const again = { ...second, account: first.account }
      expect(await adapter.createUserWithAccount(again)).toBeNull()
      expect(await adapter.getUserByEmail(second.user.email)).toBeNull()
      expect(await adapter.getSessionAndUser(second.session.sessionToken)).toBeNull()
    })

    it('stores nothing when the address belongs to somebody', async () => {
      const [first, second] = [sampleSignUp(), sampleSignUp()]
      await adapter.createUserWithAccount(first)
      const again = { ...second, user: { ...second.user, email: first.user.email } }
      expect(await adapter.createUserWithAccount(again)).toBeNull()
      expect(await adapter.getUserByAccount(second.account)).toBeNull()
      expect(await adapter.getSessionAndUser(second.session.sessionToken)).toBeNull()
    })

    it('makes one user of 200 concurrent first sign-ins of one person', async () => {
      const person = sampleSignUp()
      const attempts = await Promise.all(
        Array.from({ length: 200 }, () => {
          const session = { ...person.session, sessionToken: crypto.randomUUID() }
          const user = { ...person.user, id: crypto.randomUUID() }
          return adapter.createUserWithAccount({ ...person, user, session })
        }),
      )
      const stored = attempts.filter(attempt => attempt !== null)
      expect(stored).toHaveLength(1)
      const id = stored[0]?.user.id
      expect((await adapter.getUserByAccount(person.account))?.id).toBe(id)
      expect((await adapter.getUserByEmail(person.user.email))?.id).toBe(id)
      expect(await adapter.listSessions(String(id))).toHaveLength(1)
    })

    it('replaces the tokens of an account and keeps its other members', async () => {
      const { user, account } = sampleSignUp()
      await adapter.createUserWithAccount({ user, account })
      const { provider, providerAccountId } = account
      const tokens = { access_token: 'new', expires_at: 2_000_000_000 }
      await adapter.updateAccount({ provider, providerAccountId, ...tokens })
      const found = await adapter.getAccount(providerAccountId, provider)
      expect(found).toMatchObject({ ...account, ...tokens })
    })

    it('raises the counter of a passkey for one of many who have read the same', async () => {
      const id = crypto.randomUUID()
      const userId = (await adapter.createUser({ ...sampleSignUp().user, id })).id
      const credentialID = btoa(crypto.randomUUID())
      await adapter.createAuthenticator({
        userId,
        credentialID,
        providerAccountId: credentialID,
        counter: 0,
        credentialPublicKey: 'public',
        credentialDeviceType: 'multiDevice',
        credentialBackedUp: true,
      })
      // Those that do not count never stand in their own way.
      for (let use = 0; use < 2; use++) {
        const used = await adapter.updateAuthenticatorCounter(credentialID, 0, 0)
        expect(used?.counter).toBe(0)
      }
      const uses = await Promise.all(
        Array.from({ length: 20 }, () => adapter.updateAuthenticatorCounter(credentialID, 5, 0)),
      )
      expect(uses.filter(use => use !== null)).toHaveLength(1)
      expect(await adapter.updateAuthenticatorCounter(credentialID, 3, 2)).toBeNull()
      expect((await adapter.getAuthenticator(credentialID))?.counter).toBe(5)
    })

    it('changes a user only while nobody has proved the address, if that is asked', async () => {
      const { id, email } = await adapter.createUser(sampleSignUp().user)
      const [next, last] = [`next-${email}`, `last-${email}`]
      const only = { whileUnproved: true }
      expect((await adapter.updateUser({ id, email: next }, only)).email).toBe(next)
      await adapter.updateUser({ id, emailVerified: new Date() })
      expect((await adapter.updateUser({ id, email: last }, only)).email).toBe(next)
      expect((await adapter.getUserByEmail(next))?.id).toBe(id)
      expect(await adapter.getUserByEmail(last)).toBeNull()
      const nobody = adapter.updateUser.bind(
        adapter,
        { id: crypto.randomUUID(), email: last },
        only,
      )
      await expect((async () => nobody())()).rejects.toThrow()
    })

    it('answers null for tokens of an account that nobody has', async () => {
      const { provider, providerAccountId } = sampleSignUp().account
      const changes = { provider, providerAccountId, access_token: 'new' }
      expect(await adapter.updateAccount(changes)).toBeNull()
    })

    it('lists a user’s sessions, without those that expired, and deletes them all', async () => {
      const [one, other] = [sampleSignUp(), sampleSignUp()]
      const userId = String((await adapter.createUserWithAccount(one))?.user.id)
      await adapter.createUserWithAccount(other)
      const second = { ...sampleSignUp().session, userId }
      await adapter.createSession(second)
      const expired = { ...sampleSignUp().session, userId, expires: new Date(Date.now() - 1000) }
      await adapter.createSession(expired)
      const tokens = (await adapter.listSessions(userId)).map(({ sessionToken }) => sessionToken)
      expect(tokens.sort()).toEqual([one.session.sessionToken, second.sessionToken].sort())

      expect(await adapter.deleteSessions(userId)).toBeGreaterThanOrEqual(2)
      expect(await adapter.listSessions(userId)).toEqual([])
      expect(await adapter.getSessionAndUser(second.sessionToken)).toBeNull()
      expect(await adapter.getSessionAndUser(other.session.sessionToken)).not.toBeNull()
    })

    it('lists and deletes nothing for an id that nobody has', async () => {
      expect(await adapter.listSessions('nobody')).toEqual([])
      expect(await adapter.deleteSessions('nobody')).toBe(0)
    })
  })
}

function sampleSignUp() {
  const id = crypto.randomUUID()
  return {
    user: { id, name: 'Ada Lovelace', email: `${id}@example.com`, emailVerified: null },
    account: {
      type: 'oidc' as const,
      provider: 'google',
      providerAccountId: crypto.randomUUID(),
      access_token: 'access',
      expires_at: 1_900_000_000,
      scope: 'openid',
    },
    session: { sessionToken: crypto.randomUUID(), expires: new Date(Date.now() + 3_600_000) },
  } satisfies NewSignUp
}
