import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OpenStore, OUR_STORES } from './stores.ts'

const HOUR = 3_600_000

// In memory, the clock of the store is that of the server.
const STORES = OUR_STORES.filter(({ name }) => name !== 'memory')

/** Runs something at a server whose clock is ahead by that much, or behind. */
async function ahead<T>(hours: number, act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR })
  try {
    return await act()
  } finally {
    vi.useRealTimers()
  }
}

for (const { name, isThere, open } of STORES) {
  describe.skipIf(!isThere)(`sessions in ${name}`, () => {
    let store: OpenStore
    let userId: string

    beforeEach(async () => {
      store = await open()
      const user = { id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null }
      userId = (await store.adapter.createUser(user)).id
    })

    afterEach(async () => {
      await store.close()
    })

    const inHours = (hours: number) => new Date(Date.now() + hours * HOUR)

    it.each([-48, 48])('are listed by its clock, by a server %i hours ahead', async hours => {
      const { adapter } = store
      const live = { sessionToken: 'live', userId, expires: inHours(24) }
      const over = { sessionToken: 'over', userId, expires: inHours(-24) }
      for (const each of [live, over]) await adapter.createSession(each)
      const listed = await ahead(hours, () => adapter.listSessions(userId))
      expect(listed.map(({ sessionToken }) => sessionToken)).toEqual(['live'])
    })

    it.each([-48, 48])('in cookies as well, by a server %i hours ahead', async hours => {
      const { trackedSessions } = store.adapter
      await trackedSessions.add({ id: 's:live', userId, expires: inHours(24) })
      await trackedSessions.add({ id: 's:over', userId, expires: inHours(-24) })
      const listed = await ahead(hours, async () => trackedSessions.list(userId, 10))
      expect(listed.map(({ id }) => id)).toEqual(['s:live'])
    })

    it('stay when a server whose clock is ahead begins another, and tidies up', async () => {
      const { adapter } = store
      const { trackedSessions } = adapter
      await adapter.createSession({ sessionToken: 'live', userId, expires: inHours(24) })
      await trackedSessions.add({ id: 's:live', userId, expires: inHours(24) })
      await ahead(72, async () => {
        await adapter.createSession({ sessionToken: 'new', userId, expires: inHours(24) })
        await trackedSessions.add({ id: 's:new', userId, expires: inHours(24) })
        await adapter.deleteExpired()
      })
      expect(await adapter.getSessionAndUser('live')).not.toBeNull()
      expect(await adapter.listSessions(userId)).toHaveLength(2)
      expect(await trackedSessions.list(userId, 10)).toHaveLength(2)
    })
  })
}
