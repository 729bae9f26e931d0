import type { Adapter } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import { createSite, isIn, once, STRATEGIES } from '../sessions/site.ts'
import { Visitor } from '../visitor.ts'

it.each(
  STRATEGIES.flatMap(strategy => [[strategy, 'before'] as const, [strategy, 'after'] as const]),
)(
  'a sign-up that is resumed links no account if its user is revoked meanwhile, and can be resumed later: %s, %s it is linked',
  async (strategy, moment) => {
    const site = await createSite(strategy)
    site.openId.faults.claims = claims => ({
      ...claims,
      sub: 'bob',
      email: 'bob@example.test',
      email_verified: true,
    })
    // An adapter as published for Auth.js.
    const { createUserWithAccount, linkAccountIf, deleteUser, ...methods } = site.store
    let link = async (): Promise<unknown> => {
      throw new Error('connection lost')
    }
    const store: Adapter = {
      ...methods,
      async linkAccount(account) {
        await link()
        await site.store.linkAccount(account)
        if (moment === 'after') await act()
        return account
      },
    }
    let act = async () => {}
    const auth = site.node({
      store,
      callbacks: {
        async signIn() {
          if (moment === 'before') await act()
          return true
        },
      },
    })
    await site.ways.provider(new Visitor(auth.handle))
    const bob = await site.store.getUserByEmail('bob@example.test')
    expect(bob).not.toBeNull()
    link = async () => {}
    site.clock.now += 1000
    act = once(async () => {
      site.clock.now += 1000
      await auth.users.endSessions(String(bob?.id))
    })
    const ended = new Visitor(auth.handle)
    await site.ways.provider(ended)
    expect(await isIn(ended)).toBe(false)
    expect(await site.store.listAccounts(String(bob?.id))).toEqual([])
    site.clock.now += 1000
    const later = new Visitor(auth.handle)
    await site.ways.provider(later)
    expect(await isIn(later)).toBe(true)
    expect(await site.store.listAccounts(String(bob?.id))).toHaveLength(1)
  },
)
