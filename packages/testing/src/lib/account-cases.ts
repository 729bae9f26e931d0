import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { expectUser, ownerOf, sampleAccount, sampleUser, storeUser } from './samples.ts'

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
      for (const separator of separators) {
        const account = { provider: `a${separator}b`, providerAccountId: key }
        await adapter.linkAccount(sampleAccount(user.id, account))
        const other = { provider: 'a', providerAccountId: `b${separator}${key}` }
        expect(await ownerOf(adapter, other), separator).toBeNull()
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
    name: 'the issuer of an account is kept, and may be filled in later',
    needs: ['issuers', 'createUser', 'linkAccount', 'getAccount', 'updateAccount', 'listAccounts'],
    async run(adapter) {
      const { id: userId } = await storeUser(adapter)
      const issuer = `https://op.example.com/realms/${'long-'.repeat(30)}`
      const [bound, old] = [sampleAccount(userId, { issuer }), sampleAccount(userId)]
      for (const account of [bound, old]) await adapter.linkAccount(account)
      const readIssuer = async ({ providerAccountId, provider }: typeof old) =>
        (await adapter.getAccount(providerAccountId, provider))?.issuer ?? null
      expect([await readIssuer(bound), await readIssuer(old)]).toEqual([issuer, null])
      const { provider, providerAccountId } = old
      await adapter.updateAccount({ provider, providerAccountId, issuer })
      await adapter.updateAccount({ provider, providerAccountId, access_token: 'newer' })
      expect(await readIssuer(old)).toBe(issuer)
      const listed = await adapter.listAccounts(userId)
      expect(listed.map(each => each.issuer)).toEqual([issuer, issuer])
    },
  },
  {
    name: 'a sign-up keeps the issuer of its account',
    needs: ['issuers', 'createUserWithAccount', 'getAccount'],
    async run(adapter) {
      const { userId: _, ...account } = sampleAccount('', { issuer: 'https://op.example.com' })
      await adapter.createUserWithAccount({ user: sampleUser(), account })
      const { providerAccountId, provider } = account
      const found = await adapter.getAccount(providerAccountId, provider)
      expect(found?.issuer).toBe('https://op.example.com')
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
    name: 'listAccounts answers all of the user’s accounts and none of others',
    needs: ['createUser', 'linkAccount', 'listAccounts'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const own = ['github', 'google'].map(provider => sampleAccount(user.id, { provider }))
      for (const account of [...own, sampleAccount(other.id)]) await adapter.linkAccount(account)
      const found = await adapter.listAccounts(user.id)
      expect(found.map(({ provider }) => provider).sort()).toEqual(['github', 'google'])
      for (const account of own) {
        const listed = found.find(({ provider }) => provider === account.provider)
        for (const field of STORED) expect(listed?.[field], field).toBe(account[field])
      }
    },
  },
  {
    name: 'listAccounts no longer answers an account that was unlinked',
    needs: ['createUser', 'linkAccount', 'unlinkAccount', 'listAccounts'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [gone, remaining] = [
        sampleAccount(user.id, { provider: 'github' }),
        sampleAccount(user.id, { provider: 'google' }),
      ]
      for (const account of [gone, remaining]) await adapter.linkAccount(account)
      const { provider, providerAccountId } = gone
      await adapter.unlinkAccount({ provider, providerAccountId })
      expect((await adapter.listAccounts(user.id)).map(each => each.provider)).toEqual(['google'])
    },
  },
  {
    name: 'listAccounts answers an empty list for a user without any, and for an id that nobody has',
    needs: ['createUser', 'listAccounts'],
    async run(adapter) {
      const user = await storeUser(adapter)
      for (const id of [user.id, crypto.randomUUID(), 'nobody']) {
        expect(await adapter.listAccounts(id), id).toEqual([])
      }
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
      const [gone, remaining] = [
        sampleAccount(user.id, { provider: 'github' }),
        sampleAccount(user.id, { provider: 'google' }),
      ]
      await adapter.linkAccount(gone)
      await adapter.linkAccount(remaining)
      const { provider, providerAccountId } = gone
      await adapter.unlinkAccount({ provider, providerAccountId })
      expect(await ownerOf(adapter, { provider, providerAccountId })).toBeNull()
      expect((await ownerOf(adapter, remaining))?.id).toBe(user.id)
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
  {
    name: 'accounts whose ids differ in letters or blanks only belong to different users',
    needs: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const id = crypto.randomUUID()
      for (const providerAccountId of [`abc${id}`, `ABC${id}`, `ábc${id}`, `abc${id} `]) {
        const user = await storeUser(adapter)
        const account = sampleAccount(user.id, { providerAccountId })
        await adapter.linkAccount(account)
        expect((await ownerOf(adapter, account))?.id, providerAccountId).toBe(user.id)
      }
    },
  },
  {
    // A store may refuse it, or keep it; what it must not do is let it stand in the way for good.
    name: 'an account of a user who is not there can be linked to one who is',
    needs: ['createUser', 'deleteUser', 'linkAccount', 'getUserByAccount'],
    async run(adapter) {
      const [gone, user] = [await storeUser(adapter), await storeUser(adapter)]
      await adapter.deleteUser(gone.id)
      // A store that finds the one or the other by chance does not do so every time.
      for (let round = 0; round < 20; round++) {
        const account = sampleAccount(gone.id)
        const linked = async () => adapter.linkAccount(account)
        await linked().catch(() => {})
        expect(await ownerOf(adapter, account)).toBeNull()
        await adapter.linkAccount({ ...account, userId: user.id })
        expect((await ownerOf(adapter, account))?.id).toBe(user.id)
      }
    },
  },
  {
    name: 'an account that is linked while it is unlinked is there as a whole, or not at all',
    needs: ['createUser', 'linkAccount', 'unlinkAccount', 'getUserByAccount', 'getAccount'],
    async run(adapter) {
      const user = await storeUser(adapter)
      for (let round = 0; round < 20; round++) {
        const account = sampleAccount(user.id)
        const { provider, providerAccountId } = account
        await adapter.linkAccount(account)
        const acts = [
          async () => adapter.unlinkAccount({ provider, providerAccountId }),
          async () => adapter.linkAccount(account),
          async () => adapter.unlinkAccount({ provider, providerAccountId }),
        ]
        // Whoever comes too late may be told so.
        await Promise.allSettled(acts.map(act => act()))
        const stored = await adapter.getAccount(providerAccountId, provider)
        const owner = await ownerOf(adapter, account)
        expect(owner?.id, 'whoever signs in').toBe(stored?.userId)
        const listed = (await adapter.listAccounts?.(user.id)) ?? (stored ? [stored] : [])
        const isListed = listed.some(each => each.providerAccountId === providerAccountId)
        expect(isListed, 'whether it is listed').toBe(stored !== null)
      }
    },
  },
]
