import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { expectUser, ownerOf, sampleAccount, storeUser } from './samples.ts'

const STORED = [
  'userId',
  'type',
  'provider',
  'providerAccountId',
  'access_token',
  'refresh_token',
  'id_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

export const ACCOUNT_CASES: readonly AdapterCase[] = [
  {
    name: 'getUserByAccount finds the user whom an account was linked to',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      expectUser(await ownerOf(adapter, { provider, providerAccountId }), user)
    },
  },
  {
    name: 'getUserByAccount answers null for an account that nobody has',
    needs: ['getUserByAccount'],
    async run(adapter) {
      const { provider, providerAccountId } = sampleAccount('')
      expect(await ownerOf(adapter, { provider, providerAccountId })).toBeNull()
    },
  },
  {
    name: 'linkAccount takes an account with nothing but what identifies it',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const { id: userId } = await storeUser(adapter)
      const { provider, providerAccountId } = sampleAccount(userId)
      await adapter.linkAccount({ userId, type: 'oidc', provider, providerAccountId })
      expect((await ownerOf(adapter, { provider, providerAccountId }))?.id).toBe(userId)
    },
  },
  {
    name: 'one user has accounts at several providers',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const accounts = ['github', 'google', 'gitlab'].map(provider =>
        sampleAccount(user.id, { provider }),
      )
      for (const account of accounts) await adapter.linkAccount(account)
      for (const account of accounts) {
        expect((await ownerOf(adapter, account))?.id).toBe(user.id)
      }
    },
  },
  {
    name: 'the same providerAccountId at two providers is two accounts',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const [one, two] = [await storeUser(adapter), await storeUser(adapter)]
      const { providerAccountId } = sampleAccount(one.id)
      const github = sampleAccount(one.id, { providerAccountId, provider: 'github' })
      const google = sampleAccount(two.id, { providerAccountId, provider: 'google' })
      await adapter.linkAccount(github)
      await adapter.linkAccount(google)
      expect((await ownerOf(adapter, github))?.id).toBe(one.id)
      expect((await ownerOf(adapter, google))?.id).toBe(two.id)
      const gitlab = { provider: 'gitlab', providerAccountId }
      expect(await ownerOf(adapter, gitlab)).toBeNull()
    },
  },
  {
    name: 'provider and providerAccountId are not run together',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const key = crypto.randomUUID()
      const separators = [':', '_', '-', '|', '/']
      for (const mark of separators) {
        const account = { provider: `a${mark}b`, providerAccountId: key }
        await adapter.linkAccount(sampleAccount(user.id, account))
        const other = { provider: 'a', providerAccountId: `b${mark}${key}` }
        expect(await ownerOf(adapter, other), mark).toBeNull()
      }
    },
  },
  {
    name: 'a providerAccountId in other letters is another account',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id, { providerAccountId: `abc${crypto.randomUUID()}` })
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      const others = [
        providerAccountId.replace('abc', 'ABC'),
        providerAccountId.replace('abc', 'ábc'),
        `${providerAccountId} `,
      ]
      for (const other of others) {
        const found = await ownerOf(adapter, { provider, providerAccountId: other })
        expect(found, other).toBeNull()
      }
    },
  },
  {
    name: 'one account cannot belong to two users, even when linked at once',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const users = await Promise.all(Array.from({ length: 10 }, async () => storeUser(adapter)))
      const { provider, providerAccountId } = sampleAccount('')
      const linked = await Promise.allSettled(
        users.map(async ({ id }) => {
          await adapter.linkAccount(sampleAccount(id, { provider, providerAccountId }))
          return id
        }),
      )
      const winners = linked.filter(result => result.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      const owner = await ownerOf(adapter, { provider, providerAccountId })
      expect(owner?.id).toBe(winners[0]?.value)
    },
  },
  {
    name: 'getAccount answers the account as it was linked',
    needs: ['createUser', 'linkAccount', 'getAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id)
      await adapter.linkAccount(account)
      const found = await adapter.getAccount(account.providerAccountId, account.provider)
      for (const field of STORED) expect(found?.[field], field).toBe(account[field])
    },
  },
  {
    name: 'getAccount answers null for an account that nobody has',
    needs: ['getAccount'],
    async run(adapter) {
      expect(await adapter.getAccount(crypto.randomUUID(), 'github')).toBeNull()
    },
  },
  {
    name: 'getAccount keeps providers apart',
    needs: ['createUser', 'linkAccount', 'getAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id, { provider: 'github' })
      await adapter.linkAccount(account)
      expect(await adapter.getAccount(account.providerAccountId, 'google')).toBeNull()
    },
  },
  {
    name: 'tokens of 8 KiB are taken, and come back whole where accounts can be read',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const long = 't'.repeat(8192)
      const tokens = { access_token: long, refresh_token: `r${long}`, id_token: `i${long}` }
      const account = sampleAccount(user.id, tokens)
      await adapter.linkAccount(account)
      expect((await ownerOf(adapter, account))?.id).toBe(user.id)
      if (!adapter.getAccount) return
      const found = await adapter.getAccount(account.providerAccountId, account.provider)
      expect(found).toMatchObject(tokens)
    },
  },
  {
    name: 'unlinkAccount removes that account and leaves the user and other accounts',
    needs: ['createUser', 'getUser', 'linkAccount', 'unlinkAccount', 'getUserByAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [gone, kept] = [
        sampleAccount(user.id, { provider: 'github' }),
        sampleAccount(user.id, { provider: 'google' }),
      ]
      await adapter.linkAccount(gone)
      await adapter.linkAccount(kept)
      const { provider, providerAccountId } = gone
      await adapter.unlinkAccount({ provider, providerAccountId })
      expect(await ownerOf(adapter, { provider, providerAccountId })).toBeNull()
      expect((await ownerOf(adapter, kept))?.id).toBe(user.id)
      expectUser(await adapter.getUser(user.id), user)
    },
  },
  {
    name: 'an unlinked account can be linked to another user',
    needs: ['createUser', 'linkAccount', 'unlinkAccount', 'getUserByAccount'],
    async run(adapter) {
      const [one, two] = [await storeUser(adapter), await storeUser(adapter)]
      const account = sampleAccount(one.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      await adapter.unlinkAccount({ provider, providerAccountId })
      await adapter.linkAccount({ ...account, userId: two.id })
      expect((await ownerOf(adapter, account))?.id).toBe(two.id)
    },
  },
]
