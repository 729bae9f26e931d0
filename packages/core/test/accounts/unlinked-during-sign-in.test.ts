import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { createSite, isIn, once, STRATEGIES } from '../sessions/site.ts'
import { Visitor } from '../visitor.ts'

type Place = 'signIn' | 'redirect'

/** A site with an account at a provider, whose owner, with a verified address, has another way in. */
async function createWorld(strategy: 'jwt' | 'database', place: Place = 'signIn') {
  let act = async () => {}
  const callbacks = {
    async signIn() {
      if (place === 'signIn') await act()
      return true
    },
    async redirect({ baseUrl }: { baseUrl: string }) {
      if (place === 'redirect') await act()
      return baseUrl
    },
  }
  const site = await createSite(strategy, strategy === 'jwt' ? { track: true } : {}, { callbacks })
  const owner = await site.signedIn()
  const first = site.visitor()
  await site.ways.provider(first)
  expect(await isIn(first)).toBe(true)
  return {
    site,
    owner,
    /** Somebody signs in with that account, and when they are back from the provider, something happens. */
    async signInWhile(meanwhile: () => Promise<unknown>, { handle } = site.auth) {
      const acting = once(meanwhile)
      const visitor = new Visitor(async request => {
        // Not when the sign-in starts, which calls `redirect` as well.
        if (request.url.includes('/callback/op')) act = acting
        return handle(request)
      })
      await site.ways.provider(visitor)
      return visitor
    },
  }
}

/** An adapter as published for Auth.js. */
function plainAdapter(store: Adapter): Adapter {
  const { createUserWithAccount, listAccounts, leaseAccount, ...methods } = store
  return methods
}

describe('somebody who signs in with an account that is unlinked meanwhile', () => {
  it.each(
    STRATEGIES.flatMap(strategy => [
      [strategy, 'signIn'] as const,
      [strategy, 'redirect'] as const,
    ]),
  )(
    'gets no session after all others were ended: %s, in the callback %s',
    async (strategy, place) => {
      const { site, owner, signInWhile } = await createWorld(strategy, place)
      const answers: unknown[] = []
      const thief = await signInWhile(async () => {
        const account = { provider: 'op', accountId: 'ann' }
        answers.push(await (await owner.postJson('/accounts/unlink', account)).json())
        answers.push(await (await owner.postJson('/sessions/end', { others: true })).json())
      })
      expect(answers).toEqual([{ unlinked: true, reason: null }, { ended: true }])
      expect(await site.store.listAccounts('ann')).toEqual([])
      expect(await isIn(thief)).toBe(false)
      expect(await isIn(owner)).toBe(true)
    },
  )

  it.each(STRATEGIES)('gets none with an adapter for Auth.js either: %s', async strategy => {
    const { site, signInWhile } = await createWorld(strategy)
    const plain = site.node({ store: plainAdapter(site.store) })
    const key = { provider: 'op', providerAccountId: 'ann' }
    const thief = await signInWhile(async () => site.store.unlinkAccount(key), plain)
    expect(await site.store.listAccounts('ann')).toEqual([])
    expect(await isIn(thief)).toBe(false)
  })
})

describe('somebody whose account was linked a moment ago', () => {
  it('gets a session though the index of the store does not have it yet', async () => {
    const site = await createSite('database')
    // The index of a table in DynamoDB, say, follows the table.
    const store = { ...plainAdapter(site.store), getUserByAccount: async () => null }
    const visitor = new Visitor(site.node({ store }).handle)
    await site.ways.provider(visitor)
    expect(await isIn(visitor)).toBe(true)
  })
})
