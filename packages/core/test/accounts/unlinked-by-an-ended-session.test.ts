import { expect, it } from 'vitest'
import { createSite, once, STRATEGIES } from '../sessions/site.ts'

it.each(STRATEGIES)(
  'an account stays if the session that unlinks it ends while others hold the accounts (%s)',
  async strategy => {
    const site = await createSite(strategy, { track: true })
    for (const providerAccountId of ['one', 'two'])
      await site.store.linkAccount({
        userId: 'ann',
        type: 'oidc',
        provider: 'op',
        providerAccountId,
      })
    const owner = await site.signedIn()
    const thief = await site.signedIn()
    const endOthers = once(() => owner.postJson('/sessions/end', { others: true }))
    const { leaseAccount } = site.store
    const busy = site.node({
      store: {
        ...site.store,
        async leaseAccount(...args) {
          await endOthers()
          return leaseAccount(...args)
        },
      },
    })
    const request = {
      headers: { cookie: thief.cookieHeader() },
      url: 'https://app.example.com/settings',
    }
    const account = { provider: 'op', accountId: 'one' }
    const { unlinked } = await busy.accounts.unlink(request, account)
    expect([unlinked, (await site.store.listAccounts('ann')).length]).toEqual([false, 2])
  },
)
