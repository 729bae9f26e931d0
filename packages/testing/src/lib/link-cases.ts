import type { AdapterUser, ConditionalLink, LinkCondition } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase, Need, RequiredAdapter } from './adapter-case.ts'
import {
  inHours,
  ownerOf,
  sampleAccount,
  sampleAuthenticator,
  sampleSession,
  storeUser,
} from './samples.ts'

const NEEDS: readonly Need[] = ['createUser', 'getUser', 'getUserByAccount', 'linkAccountIf']

/** An account of a user, linked if the user has not changed, nor anything else that is named. */
function linkFor(user: AdapterUser, condition: Partial<LinkCondition> = {}): ConditionalLink {
  return { account: sampleAccount(user.id), condition: { user, ...condition } }
}

async function expectNothing(adapter: RequiredAdapter, link: ConditionalLink): Promise<void> {
  expect(await adapter.linkAccountIf(link)).toBe('changed')
  expect(await ownerOf(adapter, link.account)).toBeNull()
}

/** Accounts and passkeys that are linked if what linking was allowed by is still so. */
export const LINK_CASES: readonly AdapterCase[] = [
  {
    name: 'linkAccountIf links an account to a user who is as it was',
    needs: NEEDS,
    async run(adapter) {
      for (const emailVerified of [null, new Date()]) {
        const { id } = await storeUser(adapter, { emailVerified })
        const link = linkFor((await adapter.getUser(id)) as AdapterUser) // stored above
        expect(await adapter.linkAccountIf(link)).toBe('linked')
        expect((await ownerOf(adapter, link.account))?.id).toBe(id)
      }
    },
  },
  {
    name: 'linkAccountIf stores nothing if the address was proved since',
    needs: [...NEEDS, 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      await adapter.updateUser({ id: user.id, emailVerified: new Date() })
      await expectNothing(adapter, linkFor(user))
    },
  },
  {
    name: 'linkAccountIf stores nothing if the user has another address since',
    needs: [...NEEDS, 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      await adapter.updateUser({ id: user.id, email: `${crypto.randomUUID()}@example.com` })
      await expectNothing(adapter, linkFor(user))
    },
  },
  {
    name: 'linkAccountIf stores nothing for a user who is gone',
    needs: [...NEEDS, 'deleteUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      await adapter.deleteUser(user.id)
      await expectNothing(adapter, linkFor(user))
    },
  },
  {
    name: 'linkAccountIf links an account by a session of the user',
    needs: [...NEEDS, 'createSession'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const { sessionToken } = await adapter.createSession(sampleSession(user.id))
      const link = linkFor(user, { sessionToken })
      expect(await adapter.linkAccountIf(link)).toBe('linked')
      expect((await ownerOf(adapter, link.account))?.id).toBe(user.id)
    },
  },
  {
    name: 'linkAccountIf stores nothing by a session that has ended, or is another user’s',
    needs: [...NEEDS, 'createSession', 'deleteSession'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const other = await storeUser(adapter)
      const ended = await adapter.createSession(sampleSession(user.id))
      await adapter.deleteSession(ended.sessionToken)
      const anothers = await adapter.createSession(sampleSession(other.id))
      const expired = sampleSession(user.id, { expires: inHours(-1) })
      await adapter.createSession(expired)
      for (const { sessionToken } of [ended, anothers, expired]) {
        await expectNothing(adapter, linkFor(user, { sessionToken }))
      }
    },
  },
  {
    name: 'linkAccountIf stores an account together with its passkey, or neither',
    needs: [...NEEDS, 'getAuthenticator', 'updateUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const authenticator = sampleAuthenticator(user.id)
      const link = { ...linkFor(user), authenticator }
      expect(await adapter.linkAccountIf(link)).toBe('linked')
      expect(await adapter.getAuthenticator(authenticator.credentialID)).toEqual(authenticator)
      expect((await ownerOf(adapter, link.account))?.id).toBe(user.id)

      await adapter.updateUser({ id: user.id, emailVerified: new Date() })
      const later = { ...linkFor(user), authenticator: sampleAuthenticator(user.id) }
      await expectNothing(adapter, later)
      expect(await adapter.getAuthenticator(later.authenticator.credentialID)).toBeNull()
    },
  },
  {
    name: 'linkAccountIf stores nothing if the account or the passkey is taken',
    needs: [...NEEDS, 'createAuthenticator', 'getAuthenticator', 'linkAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const other = await storeUser(adapter)
      const taken = sampleAccount(other.id)
      await adapter.linkAccount(taken)
      const authenticator = sampleAuthenticator(user.id)
      const account = { ...taken, userId: user.id }
      const byAccount = { ...linkFor(user), account, authenticator }
      expect(await adapter.linkAccountIf(byAccount)).toBe('taken')
      expect((await ownerOf(adapter, taken))?.id).toBe(other.id)
      expect(await adapter.getAuthenticator(authenticator.credentialID)).toBeNull()

      await adapter.createAuthenticator({ ...authenticator, userId: other.id })
      const byPasskey = { ...linkFor(user), authenticator }
      expect(await adapter.linkAccountIf(byPasskey)).toBe('taken')
      expect(await ownerOf(adapter, byPasskey.account)).toBeNull()
    },
  },
  {
    name: 'linkAccountIf links an account to one of many users who ask at once',
    needs: NEEDS,
    async run(adapter) {
      const users = await Promise.all(Array.from({ length: 10 }, () => storeUser(adapter)))
      const account = sampleAccount('')
      const outcomes = await Promise.all(
        users.map(user =>
          adapter.linkAccountIf({ ...linkFor(user), account: { ...account, userId: user.id } }),
        ),
      )
      expect(outcomes.toSorted()).toEqual(['linked', ...Array(9).fill('taken')])
      const owner = await ownerOf(adapter, account)
      expect(users[outcomes.indexOf('linked')]?.id).toBe(owner?.id)
    },
  },
  {
    name: 'linkAccountIf knows what was revoked, or says that it did not ask',
    needs: [...NEEDS, 'revocations'],
    async run(adapter) {
      const log = adapter.revocations
      const user = await storeUser(adapter)
      const until = inHours(1)
      const [session, all, absent] = ['s', 'u', 's'].map(kind => `${kind}:${crypto.randomUUID()}`)
      const [entry] = await log.end([{ key: String(all), until, isGeneration: true }])
      await log.end([{ key: String(session), until }])
      const generation = Number(entry?.generation)
      const given = (keys: { key: string; generation: number }[]) =>
        linkFor(user, { unrevoked: { log, keys } })

      const valid = [
        { key: String(absent), generation: 0 },
        { key: String(all), generation },
      ]
      expect(['linked', 'unchecked']).toContain(await adapter.linkAccountIf(given(valid)))
      for (const revoked of [
        { key: String(session), generation },
        { key: String(all), generation: generation - 1 },
      ]) {
        const link = given([...valid.slice(0, 1), revoked])
        const outcome = await adapter.linkAccountIf(link)
        expect(['changed', 'unchecked']).toContain(outcome)
        const isStored = (await ownerOf(adapter, link.account)) !== null
        expect(isStored).toBe(outcome === 'unchecked')
      }
    },
  },
  {
    name: 'linkAccountIf says that it did not ask the log of another store',
    needs: [...NEEDS, 'revocations'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const link = linkFor(user, { unrevoked: { log: { ...adapter.revocations }, keys: [] } })
      expect(await adapter.linkAccountIf(link)).toBe('unchecked')
      expect((await ownerOf(adapter, link.account))?.id).toBe(user.id)
    },
  },
  {
    name: 'an address that is proved while accounts are linked keeps none that it does not see',
    needs: [...NEEDS, 'updateUser', 'listAccounts'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const linking = Array.from({ length: 10 }, () => adapter.linkAccountIf(linkFor(user)))
      // As the owner of an address does: whatever is linked is there by now, or never.
      const proving = Promise.resolve(
        adapter.updateUser({ id: user.id, emailVerified: new Date() }),
      ).then(() => adapter.listAccounts(user.id))
      const seen = (await proving).length
      const outcomes = await Promise.all(linking)
      expect(outcomes.filter(outcome => outcome === 'linked')).toHaveLength(seen)
      expect(await adapter.listAccounts(user.id)).toHaveLength(seen)
    },
  },
  {
    name: 'unlinkAccount for one user leaves the account of another alone',
    needs: [...NEEDS, 'unlinkAccount'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const link = linkFor(user)
      await adapter.linkAccountIf(link)
      const { provider, providerAccountId } = link.account
      const key = { provider, providerAccountId }
      await adapter.unlinkAccount(key, { userId: other.id })
      expect((await ownerOf(adapter, key))?.id).toBe(user.id)
      await adapter.unlinkAccount(key, { userId: user.id })
      expect(await ownerOf(adapter, key)).toBeNull()
    },
  },
]
