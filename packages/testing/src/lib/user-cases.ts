import { userRevocation } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase, RequiredAdapter } from './adapter-case.ts'
import {
  expectDate,
  expectUser,
  inHours,
  ownerOf,
  sampleAccount,
  sampleAuthenticator,
  sampleSession,
  sampleUser,
  storeUser,
} from './samples.ts'

export const USER_CASES: readonly AdapterCase[] = [
  {
    name: 'createUser answers the stored user, with an id that is a string',
    needs: ['createUser'],
    async run(adapter) {
      const given = sampleUser()
      const user = await adapter.createUser(given)
      expect(user.id).toBeTypeOf('string')
      expect(user.id).not.toBe('')
      expectUser(user, { ...given, id: user.id })
      expect(user.emailVerified).toBeNull()
    },
  },
  {
    name: 'createUser takes a user without an id, name and image',
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      const { email, emailVerified } = sampleUser()
      // Passkeys: the engine suggests no id there (core-behaviour 10.1).
      const user = await adapter.createUser({ email, emailVerified } as never)
      expect(user.id).toBeTypeOf('string')
      const found = await adapter.getUser(user.id)
      expect(found?.email).toBe(email)
      expect(found?.name ?? null).toBeNull()
      expect(found?.image ?? null).toBeNull()
    },
  },
  {
    name: 'getUser finds a user by id',
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      expectUser(await adapter.getUser(user.id), user)
    },
  },
  {
    name: 'getUser answers null for an id that nobody has',
    needs: ['getUser'],
    async run(adapter) {
      expect(await adapter.getUser(crypto.randomUUID())).toBeNull()
    },
  },
  {
    name: 'getUser answers null for an id that is not of the store’s making',
    needs: ['getUser'],
    async run(adapter) {
      for (const id of ['no-such-id', '99999999999999999999', "'; drop table users; --", '🙂']) {
        expect(await adapter.getUser(id), id).toBeNull()
      }
    },
  },
  {
    name: 'getUserByEmail finds a user by address',
    needs: ['createUser', 'getUserByEmail'],
    async run(adapter) {
      const user = await storeUser(adapter)
      await storeUser(adapter)
      expectUser(await adapter.getUserByEmail(user.email), user)
    },
  },
  {
    name: 'getUserByEmail answers null for an address that nobody has',
    needs: ['getUserByEmail'],
    async run(adapter) {
      expect(await adapter.getUserByEmail(sampleUser().email)).toBeNull()
    },
  },
  {
    name: 'emailVerified comes back as a Date, to the second',
    needs: ['createUser', 'getUser', 'getUserByEmail'],
    async run(adapter) {
      const emailVerified = inHours(-1)
      const user = await storeUser(adapter, { emailVerified })
      expectDate(user.emailVerified, emailVerified)
      expectDate((await adapter.getUser(user.id))?.emailVerified, emailVerified)
      expectDate((await adapter.getUserByEmail(user.email))?.emailVerified, emailVerified)
    },
  },
  {
    name: 'emailVerified keeps its milliseconds',
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      const emailVerified = inHours(-1)
      const user = await storeUser(adapter, { emailVerified })
      expectDate((await adapter.getUser(user.id))?.emailVerified, emailVerified, 0)
    },
  },
  {
    name: 'emailVerified comes back as null when it was null',
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      expect((await adapter.getUser(user.id))?.emailVerified).toBeNull()
    },
  },
  {
    name: 'updateUser changes what it is given and nothing else',
    needs: ['createUser', 'getUser', 'updateUser'],
    async run(adapter) {
      const emailVerified = inHours(-2)
      const user = await storeUser(adapter, { emailVerified })
      const changed = { ...user, name: 'Countess of Lovelace' }
      expectUser(await adapter.updateUser({ id: user.id, name: changed.name }), changed)
      const found = await adapter.getUser(user.id)
      expectUser(found, changed)
      expectDate(found?.emailVerified, emailVerified)
    },
  },
  {
    name: 'updateUser sets emailVerified and answers the whole user',
    needs: ['createUser', 'getUser', 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const emailVerified = inHours(0)
      const updated = await adapter.updateUser({ id: user.id, emailVerified })
      expectUser(updated, user)
      expectDate(updated.emailVerified, emailVerified)
      expectDate((await adapter.getUser(user.id))?.emailVerified, emailVerified)
    },
  },
  {
    name: 'updateUser sets a field to null',
    needs: ['createUser', 'getUser', 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      await adapter.updateUser({ id: user.id, image: null })
      const found = await adapter.getUser(user.id)
      expect(found?.image ?? null).toBeNull()
      expect(found?.name).toBe(user.name)
    },
  },
  {
    name: 'updateUser with a new address moves the user to it',
    needs: ['createUser', 'getUserByEmail', 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const { email } = sampleUser()
      await adapter.updateUser({ id: user.id, email })
      expect((await adapter.getUserByEmail(email))?.id).toBe(user.id)
      expect(await adapter.getUserByEmail(user.email)).toBeNull()
    },
  },
  {
    name: 'concurrent updates of different fields are both kept',
    needs: ['createUser', 'getUser', 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [name, image] = ['Grace Hopper', 'https://example.com/grace.png']
      await Promise.all([
        adapter.updateUser({ id: user.id, name }),
        adapter.updateUser({ id: user.id, image }),
      ])
      expect(await adapter.getUser(user.id)).toMatchObject({ name, image })
    },
  },
  {
    name: 'Unicode comes back as it was given',
    needs: ['createUser', 'getUser', 'getUserByEmail'],
    async run(adapter) {
      const name = 'Zoë O’Brien-Łukasz 王小明 \u202eعلي 👩‍👩‍👧 e\u0301 \\ "quoted" \'; -- %_'
      const email = `zoë.${crypto.randomUUID()}@bücher.example`
      const user = await storeUser(adapter, { name, email })
      expect((await adapter.getUser(user.id))?.name).toBe(name)
      expect((await adapter.getUserByEmail(email))?.id).toBe(user.id)
    },
  },
  {
    name: 'a name that reads like a date, a number or JSON stays a string',
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      for (const name of ['2020-01-01T00:00:00.000Z', '12345', 'true', 'null', '{"a":1}']) {
        const user = await storeUser(adapter, { name })
        expect((await adapter.getUser(user.id))?.name).toBe(name)
      }
    },
  },
  {
    name: 'long values come back whole',
    needs: ['createUser', 'getUser', 'getUserByEmail'],
    async run(adapter) {
      const email = `${crypto.randomUUID()}.${'a'.repeat(27)}@${'b.'.repeat(91)}example`
      const image = `https://example.com/${'i'.repeat(4000)}`
      const user = await storeUser(adapter, { name: 'ñ'.repeat(255), email, image })
      const found = await adapter.getUserByEmail(email)
      expectUser(found, user)
      expect(found?.image).toBe(image)
    },
  },
  {
    name: 'two users cannot have one address, even when created at once',
    needs: ['createUser', 'getUserByEmail', 'getUser'],
    async run(adapter) {
      const { email } = sampleUser()
      const created = await Promise.allSettled(
        Array.from({ length: 10 }, async () => storeUser(adapter, { email })),
      )
      const stored = created.filter(result => result.status === 'fulfilled')
      expect(stored).toHaveLength(1)
      expect((await adapter.getUserByEmail(email))?.id).toBe(stored[0]?.value.id)
    },
  },
  {
    // What lets two links for one new address, opened at once, lead to the same user.
    name: 'whoever is refused an address finds the user who has it',
    needs: ['createUser', 'getUserByEmail'],
    async run(adapter) {
      const { email } = sampleUser()
      const ids = await Promise.all(
        Array.from({ length: 10 }, async () => {
          try {
            return (await storeUser(adapter, { email })).id
          } catch {
            return (await adapter.getUserByEmail(email))?.id
          }
        }),
      )
      expect(ids[0]).toBeTypeOf('string')
      expect(new Set(ids).size).toBe(1)
    },
  },
  {
    name: 'deleteUser removes the user',
    needs: ['createUser', 'getUser', 'getUserByEmail', 'deleteUser'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      await adapter.deleteUser(user.id)
      expect(await adapter.getUser(user.id)).toBeNull()
      expect(await adapter.getUserByEmail(user.email)).toBeNull()
      expectUser(await adapter.getUser(other.id), other)
    },
  },
  {
    name: 'deleteUser removes the user’s sessions and leaves those of others',
    needs: ['createUser', 'deleteUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const sessions = [sampleSession(user.id), sampleSession(user.id)]
      const remaining = sampleSession(other.id)
      for (const session of [...sessions, remaining]) await adapter.createSession(session)
      await adapter.deleteUser(user.id)
      for (const { sessionToken } of sessions) {
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
      expect((await adapter.getSessionAndUser(remaining.sessionToken))?.user.id).toBe(other.id)
    },
  },
  {
    name: 'deleteUser removes the user’s accounts and leaves those of others',
    needs: ['createUser', 'deleteUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const [account, remaining] = [sampleAccount(user.id), sampleAccount(other.id)]
      await adapter.linkAccount(account)
      await adapter.linkAccount(remaining)
      await adapter.deleteUser(user.id)
      expect(await ownerOf(adapter, account)).toBeNull()
      expect((await ownerOf(adapter, remaining))?.id).toBe(other.id)
    },
  },
  {
    name: 'deleteUser removes the user’s authenticators',
    needs: [
      'createUser',
      'deleteUser',
      'linkAccount',
      'createAuthenticator',
      'getAuthenticator',
      'listAuthenticatorsByUserId',
    ],
    async run(adapter) {
      const user = await storeUser(adapter)
      const authenticator = sampleAuthenticator(user.id)
      await adapter.createAuthenticator(authenticator)
      await adapter.deleteUser(user.id)
      expect(await adapter.getAuthenticator(authenticator.credentialID)).toBeNull()
      expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([])
    },
  },
  {
    name: 'after deleteUser the same person can be created and linked again',
    needs: ['createUser', 'deleteUser', 'linkAccount', 'getUserByAccount', 'getUserByEmail'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id)
      await adapter.linkAccount(account)
      await adapter.deleteUser(user.id)
      const again = await storeUser(adapter, { email: user.email })
      await adapter.linkAccount({ ...account, userId: again.id })
      expect((await ownerOf(adapter, account))?.id).toBe(again.id)
      expect((await adapter.getUserByEmail(user.email))?.id).toBe(again.id)
    },
  },
  {
    name: 'deleteUser of an id that nobody has is no error',
    needs: ['deleteUser'],
    async run(adapter) {
      await adapter.deleteUser(crypto.randomUUID())
    },
  },
  {
    name: 'deleteUser records that the sessions of the user are revoked, and not those of others',
    needs: ['createUser', 'deleteUser', 'revocations'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const before = await storeTime(adapter)
      await adapter.deleteUser(user.id)
      const [key, otherKey] = [user, other].map(({ id }) => userRevocation(id).key)
      const [entry, ...more] = await adapter.revocations.find([String(key), String(otherKey)])
      expect(more).toEqual([])
      expect(entry?.key).toBe(key)
      // Only those that began before: a new user may get the id of a deleted one.
      expect(entry?.generation).toBeGreaterThanOrEqual(before)
      expect(entry?.generation).toBeLessThanOrEqual((await storeTime(adapter)) + 1)
      expect(Number(entry?.until)).toBeGreaterThan(Date.now() + 399 * 24 * 3_600_000)
    },
  },
  {
    name: 'deleteUser records it again if it is called again, since the first call may have failed in between',
    needs: ['createUser', 'deleteUser', 'revocations'],
    async run(adapter) {
      const { id } = await storeUser(adapter)
      const { key } = userRevocation(id)
      const generation = async () => (await adapter.revocations.find([key]))[0]?.generation ?? 0
      await adapter.deleteUser(id)
      const first = await generation()
      await adapter.deleteUser(id)
      expect(await generation()).toBeGreaterThan(first)
    },
  },
]

/** The time of the store, in milliseconds. */
async function storeTime({ revocations }: Pick<RequiredAdapter, 'revocations'>): Promise<number> {
  return (await revocations.since(new Date(Date.now() + 3_600_000))).now.getTime()
}
