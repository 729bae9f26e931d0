import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenStore, OUR_STORES } from './stores.ts'

const DAY = 86_400_000
/** More than are removed at once. */
const MANY = 1100

/** Whether whatever ends something removes expired entries. SQL databases do it between requests: see the folder `upkeep`. */
const removesAtOnce = (name: string) => name === 'memory' || name === 'Redis'

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`what has expired, in ${name}`, () => {
    let store: OpenStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    it('goes, however much it is, and what has not stays', async () => {
      const { adapter } = store
      const { id: userId } = await adapter.createUser({
        id: crypto.randomUUID(),
        email: 'ada@example.com',
        emailVerified: null,
      })
      const past = new Date(Date.now() - 2 * DAY)
      const future = new Date(Date.now() + DAY)
      await Promise.all(
        Array.from({ length: MANY }, async (_, index) => {
          const sessionToken = `old-${index}`
          await adapter.createSession({ sessionToken, userId, expires: past })
        }),
      )
      await adapter.createSession({ sessionToken: 'new', userId, expires: future })
      const token = { identifier: 'ada@example.com', token: 'old' }
      await adapter.createVerificationToken({ ...token, expires: past })
      await adapter.createVerificationToken({ ...token, token: 'new', expires: future })
      const removed = await adapter.deleteExpired()
      // The server of Redis has removed them by itself.
      expect(removed).toBe(name === 'Redis' ? 0 : MANY + 1)
      expect(await adapter.deleteExpired()).toBe(0)
      expect(await adapter.getSessionAndUser('old-0')).toBeNull()
      expect(await adapter.useVerificationToken(token)).toBeNull()
      expect(await adapter.getSessionAndUser('new')).not.toBeNull()
      expect(await adapter.useVerificationToken({ ...token, token: 'new' })).not.toBeNull()
    })

    it('is removed from what was ended, however much it is', async () => {
      const { adapter } = store
      const { revocations } = adapter
      const past = new Date(Date.now() - 2 * DAY)
      const old = Array.from({ length: MANY }, (_, index) => ({
        key: `s:old-${index}`,
        until: past,
      }))
      const current = { key: 's:new', until: new Date(Date.now() + DAY) }
      await revocations.end([...old, current])
      expect(await adapter.deleteExpired()).toBe(removesAtOnce(name) ? 0 : MANY)
      expect(await adapter.deleteExpired()).toBe(0)
      const found = await revocations.find([...old, current].map(({ key }) => key))
      expect(found).toEqual([{ ...current, generation: null }])
    })

    // In memory there are so many at most, and the server of Redis removes them by itself.
    const hasRows = name !== 'memory' && name !== 'Redis'
    if (hasRows) {
      it('is removed from attempts, and those that still count stay', async () => {
        const { adapter } = store
        const { limiter } = adapter
        const rule = { burst: 1, refillSeconds: 60 }
        for (const key of ['one', 'two', 'three'])
          await limiter.take(key, rule, Date.now() - 2 * DAY)
        await limiter.take('now', rule, Date.now())
        await adapter.deleteExpired()
        expect(await adapter.deleteExpired()).toBe(0)
        expect(await limiter.take('one', rule, Date.now() - 2 * DAY)).toBe(0)
        expect(await limiter.take('now', rule, Date.now())).toBeGreaterThan(0)
      })
    }

    it('gives out no generation twice, also after it was removed', async () => {
      const { adapter } = store
      const expired = { key: 'u:1', until: new Date(Date.now() - 2 * DAY), isGeneration: true }
      const generations: unknown[] = []
      for (let round = 0; round < 5; round++) {
        const [ended] = await adapter.revocations.end([expired])
        generations.push(ended?.generation)
        await adapter.deleteExpired()
      }
      expect(new Set(generations).size).toBe(5)
      expect(generations).toEqual(generations.toSorted())
    })
  })
}

for (const { name, isThere, open } of OUR_STORES.filter(({ name }) => removesAtOnce(name))) {
  it.skipIf(!isThere)(
    `what was ended and is over goes when something is ended, in ${name}`,
    async () => {
      const { adapter, close } = await open()
      const until = new Date(Date.now() - 2 * DAY)
      const keys = Array.from({ length: 100 }, (_, index) => `s:${index}`)
      const { revocations } = adapter
      await revocations.end(keys.map(key => ({ key, until })))
      expect(await revocations.find(keys)).toEqual([])
      await close()
    },
  )
}
