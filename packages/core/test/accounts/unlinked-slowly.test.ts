import { expect, it } from 'vitest'
import { createSite, SECOND } from '../sessions/site.ts'

it('two requests on a store that takes long to respond do not unlink both accounts of a user', async () => {
  const site = await createSite('database')
  const accounts = ['one', 'two'].map(providerAccountId => ({ provider: 'op', providerAccountId }))
  for (const account of accounts) {
    await site.store.linkAccount({ userId: 'ann', type: 'oidc', ...account })
  }
  await site.store.updateUser({ id: 'ann', emailVerified: null })
  const ann = await site.signedIn()
  const request = {
    headers: { cookie: ann.cookieHeader() },
    url: 'https://app.example.com/settings',
  }
  let lists = 0
  const slow = site.node({
    store: {
      ...site.store,
      async listAccounts(userId) {
        const listed = await site.store.listAccounts(userId)
        lists += 1
        // By the second time they are leased: the leases expire, and another request takes over.
        if (lists === 2) {
          site.clock.now += 31 * SECOND
          const second = { provider: 'op', accountId: 'two' }
          expect(await site.node().accounts.unlink(request, second)).toMatchObject({
            unlinked: true,
          })
        }
        return listed
      },
    },
  })
  const first = { provider: 'op', accountId: 'one' }
  await expect(slow.accounts.unlink(request, first)).rejects.toThrow('in use elsewhere')
  expect(await site.store.listAccounts('ann')).toHaveLength(1)
})
