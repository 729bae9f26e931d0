import type { Adapter, StoredPassword } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { sampleUser } from './samples.ts'

const HASH =
  '$scrypt$ln=17,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU'
const OTHER = '$2b$10$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'

/** Passwords of users. */
export const PASSWORD_CASES: readonly AdapterCase[] = [
  {
    name: 'a password is found as it was stored',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      expect(await adapter.passwords.set(password)).toBe(true)
      expect(await adapter.passwords.get(password.userId)).toEqual(password)
    },
  },
  {
    name: 'nobody has a password unless it was stored',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const { userId } = await passwordOfNewUser(adapter, HASH)
      expect(await adapter.passwords.get(userId)).toBeNull()
      expect(await adapter.passwords.get(crypto.randomUUID())).toBeNull()
    },
  },
  {
    name: 'a password is removed by its hash, and another one is kept',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      expect(await adapter.passwords.remove(password.userId, HASH)).toBe(false)
      await adapter.passwords.set(password)
      expect(await adapter.passwords.remove(password.userId, OTHER)).toBe(false)
      expect((await adapter.passwords.get(password.userId))?.hash).toBe(HASH)
      expect(await adapter.passwords.remove(password.userId, HASH)).toBe(true)
      expect(await adapter.passwords.get(password.userId)).toBeNull()
    },
  },
  {
    name: 'a password takes the place of the one before',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      await adapter.passwords.set(password)
      expect(await adapter.passwords.set({ ...password, hash: OTHER })).toBe(true)
      expect((await adapter.passwords.get(password.userId))?.hash).toBe(OTHER)
    },
  },
  {
    name: 'a password replaces the hash that was named, and no other',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      const changed = { ...password, hash: OTHER }
      expect(await adapter.passwords.set(changed, HASH)).toBe(false)
      expect(await adapter.passwords.get(password.userId)).toBeNull()
      await adapter.passwords.set(password)
      expect(await adapter.passwords.set(changed, HASH.toUpperCase())).toBe(false)
      expect(await adapter.passwords.get(password.userId)).toEqual(password)
      expect(await adapter.passwords.set(changed, HASH)).toBe(true)
      expect(await adapter.passwords.get(password.userId)).toEqual(changed)
    },
  },
  {
    name: 'of twenty that replace one password at once one does',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      await adapter.passwords.set(password)
      const done = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          adapter.passwords.set({ ...password, hash: `$new$${index}` }, HASH),
        ),
      )
      expect(done.filter(isDone => isDone)).toHaveLength(1)
    },
  },
  {
    name: 'a password that was removed is gone, and only that of its user',
    needs: ['passwords', 'createUser'],
    async run(adapter) {
      const [one, other] = [
        await passwordOfNewUser(adapter, HASH),
        await passwordOfNewUser(adapter, HASH),
      ]
      await adapter.passwords.set(one)
      await adapter.passwords.set(other)
      expect(await adapter.passwords.remove(one.userId)).toBe(true)
      expect(await adapter.passwords.remove(one.userId)).toBe(false)
      expect(await adapter.passwords.get(one.userId)).toBeNull()
      expect(await adapter.passwords.get(other.userId)).toEqual(other)
    },
  },
  {
    name: 'a user who is deleted leaves no password behind',
    needs: ['passwords', 'createUser', 'deleteUser'],
    async run(adapter) {
      const password = await passwordOfNewUser(adapter, HASH)
      await adapter.passwords.set(password)
      await adapter.deleteUser(password.userId)
      expect(await adapter.passwords.get(password.userId)).toBeNull()
    },
  },
]

async function passwordOfNewUser(
  { createUser }: Required<Pick<Adapter, 'createUser'>>,
  hash: string,
): Promise<StoredPassword> {
  const { id: userId } = await createUser(sampleUser())
  return { userId, hash, changedAt: new Date('2030-01-31T12:00:00Z') }
}
