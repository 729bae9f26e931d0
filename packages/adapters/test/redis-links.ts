import { beforeAll, describe, expect, it } from 'vitest'
import { type IoredisClient, RedisAdapter } from '../src/redis.ts'

type Client = IoredisClient

/**
 * What becomes of accounts that are linked and unlinked at once. Between any two commands of one caller,
 * all of what another does may happen.
 */
export function linksAtOnce(name: string, connected: () => Client): void {
  describe(`accounts in ${name}`, () => {
    let client: Client
    beforeAll(() => {
      client = connected()
    })

    const account = () => {
      const id = crypto.randomUUID()
      return { userId: id, type: 'oauth', provider: 'github', providerAccountId: id } as const
    }

    /** Does one thing before each of the commands of another, in turn. */
    async function interleave(
      act: 'linkAccount' | 'unlinkAccount',
      other: 'linkAccount' | 'unlinkAccount',
      isLinked: boolean,
    ) {
      const prefix = `${crypto.randomUUID()}:`
      const quiet = RedisAdapter({ client, prefix })
      for (let at = 1; ; at++) {
        const given = account()
        await quiet.createUser({
          id: given.userId,
          email: `${given.userId}@example.com`,
          emailVerified: null,
        })
        if (isLinked) await quiet.linkAccount(given)
        let commands = 0
        const disturbed = RedisAdapter({
          prefix,
          client: {
            async call(...words) {
              if (++commands === at) await Promise.resolve(quiet[other](given)).catch(() => {})
              return client.call(...words)
            },
          },
        })
        await Promise.resolve(disturbed[act](given)).catch(() => {})
        const stored = await quiet.getAccount(given.providerAccountId, given.provider)
        const owner = await quiet.getUserByAccount(given)
        const listed = await quiet.listAccounts(given.userId)
        const seen = { owner: owner !== null, listed: listed.length }
        const when = `${other} before command ${at} of ${act}`
        expect(seen, when).toEqual({ owner: stored !== null, listed: stored ? 1 : 0 })
        // Whatever was left can be linked, and then it signs in.
        await Promise.resolve(quiet.linkAccount(given)).catch(() => {})
        expect((await quiet.getUserByAccount(given))?.id, when).toBe(given.userId)
        if (commands < at) break
      }
    }

    it('are whole, or not there, when one is linked in the middle of being unlinked', async () => {
      await interleave('unlinkAccount', 'linkAccount', true)
    })

    it('are whole, or not there, when one is unlinked in the middle of being linked', async () => {
      await interleave('linkAccount', 'unlinkAccount', false)
      await interleave('linkAccount', 'unlinkAccount', true)
    })

    it('are one, when one is linked in the middle of being linked', async () => {
      await interleave('linkAccount', 'linkAccount', false)
    })

    it('sign nobody in after they were unlinked, whatever still points at the user', async () => {
      const adapter = RedisAdapter({ client, prefix: `${crypto.randomUUID()}:` })
      const given = account()
      await adapter.createUser({
        id: given.userId,
        email: `${given.userId}@example.com`,
        emailVerified: null,
      })
      // The process is killed before the last of its commands.
      let commands = 0
      const prefix = `${crypto.randomUUID()}:`
      const killed = RedisAdapter({
        prefix,
        client: {
          async call(...words) {
            if (++commands === 4) throw new Error('killed')
            return client.call(...words)
          },
        },
      })
      const whole = RedisAdapter({ client, prefix })
      await whole.createUser({
        id: given.userId,
        email: `${given.userId}@example.com`,
        emailVerified: null,
      })
      await whole.linkAccount(given)
      await Promise.resolve(killed.unlinkAccount(given)).catch(() => {})
      expect(await whole.getUserByAccount(given)).toBeNull()
      expect(await whole.listAccounts(given.userId)).toEqual([])
    })

    it('of users who do not come back leave no list of sessions behind', async () => {
      const prefix = `${crypto.randomUUID()}:`
      const adapter = RedisAdapter({ client, prefix })
      const { id } = await adapter.createUser({
        id: '1',
        email: 'a@example.com',
        emailVerified: null,
      })
      const expires = new Date(Date.now() + 3_600_000)
      await adapter.createSession({ sessionToken: 'one', userId: id, expires })
      await adapter.createSession({
        sessionToken: 'two',
        userId: id,
        expires: new Date(Date.now() + 60_000),
      })
      const later = new Date(expires.getTime() + 3_600_000)
      await adapter.updateSession({ sessionToken: 'two', expires: later })
      const ends = await client.call('pttl', `${prefix}{1}:sessions`)
      expect(Number(ends)).toBeGreaterThan(expires.getTime() - Date.now())
    })
  })
}
