import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeAt, openLink, signIn } from '../../core/test/accounts/steps.ts'
import { ADDRESS, createWorld } from '../../core/test/accounts/world.ts'
import { type CompleteAdapter, type IoredisClient, RedisAdapter } from '../src/redis.ts'
import { REDIS_CLUSTER, REDIS_URL } from './servers.ts'

// A record and the key that leads to it are in two slots, so no script writes both. A process is killed after each of its
// commands in turn: what it leaves behind is there or not, and never stands in anybody's way.

const SERVERS = [
  ['Redis', REDIS_URL, () => new Redis(String(REDIS_URL))],
  ['Redis Cluster', REDIS_CLUSTER, () => new Cluster((REDIS_CLUSTER ?? '').split(','))],
] as const

describe.each(SERVERS)('%s, with a process that is killed', (_, isThere, connect) => {
  describe.skipIf(!isThere)('after a command', () => {
    let client: Redis | Cluster
    beforeAll(() => {
      client = connect()
    })
    afterAll(() => client.disconnect())

    /** Two adapters of one store. Once armed, the first is killed after so many commands. */
    function open() {
      const prefix = `${crypto.randomUUID()}:`
      let left = Number.POSITIVE_INFINITY
      let isKilled = false
      const mortal: IoredisClient = {
        async call(command, ...args) {
          if (left-- > 0) return client.call(command, ...args)
          isKilled = true
          throw new Error('killed')
        },
      }
      return {
        prefix,
        whole: RedisAdapter({ client, prefix }),
        mortal: RedisAdapter({ client: mortal, prefix }),
        /** Runs something that is killed after so many commands. Returns whether it was. */
        async killAfter(commands: number, act: () => unknown): Promise<boolean> {
          isKilled = false
          left = commands
          await Promise.resolve(act()).catch(() => {})
          left = Number.POSITIVE_INFINITY
          return isKilled
        },
      }
    }

    const addUser = async (adapter: CompleteAdapter, id: string) => {
      await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    }
    const account = { type: 'oauth', provider: 'github', providerAccountId: '7' } as const
    const passkey = {
      credentialID: 'key',
      providerAccountId: 'key',
      credentialPublicKey: 'public',
      counter: 0,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
    }

    /** What can be linked, and how a store shows whose it is. */
    const KINDS = {
      account: {
        link: (adapter: CompleteAdapter, userId: string) =>
          adapter.linkAccount({ ...account, userId }),
        unlink: (adapter: CompleteAdapter, userId: string) =>
          adapter.unlinkAccount(account, { userId }),
        hash: 'accounts',
        /** As a version without pointers first has stored it. */
        halfWritten: (userId: string) => ['github:7', JSON.stringify({ ...account, userId })],
        list: (adapter: CompleteAdapter, userId: string) => adapter.listAccounts(userId),
        owner: async (adapter: CompleteAdapter) =>
          (await adapter.getUserByAccount(account))?.id ?? null,
      },
      passkey: {
        link: (adapter: CompleteAdapter, userId: string) =>
          adapter.createAuthenticator({ ...passkey, userId }),
        unlink: (adapter: CompleteAdapter, userId: string) =>
          adapter.deleteAuthenticator({ credentialID: 'key', userId }),
        hash: 'authenticators',
        halfWritten: (userId: string) => ['key', JSON.stringify({ ...passkey, userId })],
        list: (adapter: CompleteAdapter, userId: string) =>
          adapter.listAuthenticatorsByUserId(userId),
        owner: async (adapter: CompleteAdapter) =>
          (await adapter.getAuthenticator('key'))?.userId ?? null,
      },
    }

    it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
      'leaves the %s that it links or unlinks listed and found, or neither',
      async kind => {
        const { link, unlink, list, owner } = KINDS[kind]
        for (const act of [link, unlink]) {
          let wasKilled = true
          for (let commands = 0; wasKilled; commands++) {
            const { whole, mortal, killAfter } = open()
            await addUser(whole, 'mallory')
            await addUser(whole, 'ann')
            if (act === unlink) await link(whole, 'mallory')
            wasKilled = await killAfter(commands, () => act(mortal, 'mallory'))
            const when = `${act.name} is killed after ${commands} commands`
            const found = await owner(whole)
            expect(await list(whole, 'mallory'), when).toHaveLength(found ? 1 : 0)
            // What is there can be removed, and what is not can be linked by anybody.
            if (found) await unlink(whole, 'mallory')
            expect(await list(whole, 'mallory'), when).toEqual([])
            await link(whole, 'ann')
            expect(await owner(whole), when).toBe('ann')
            expect(await list(whole, 'ann'), when).toHaveLength(1)
          }
        }
      },
    )

    it.each(Object.values(KINDS))(
      'an earlier version has left a record of $hash that can be removed by user and field, and stands in nobody’s way',
      async ({ link, unlink, owner, list, hash, halfWritten }) => {
        const { whole, prefix } = open()
        await addUser(whole, 'ann')
        await addUser(whole, 'bob')
        const plant = () => client.call('hset', `${prefix}{ann}:${hash}`, ...halfWritten('ann'))
        const left = () => client.call('hlen', `${prefix}{ann}:${hash}`)
        await plant()
        expect(await owner(whole)).toBeNull()
        await unlink(whole, 'bob')
        expect(await left()).toBe(1)
        await unlink(whole, 'ann')
        expect(await left()).toBe(0)
        // Also if another user has it meanwhile.
        await plant()
        await link(whole, 'bob')
        await unlink(whole, 'ann')
        expect(await left()).toBe(0)
        expect(await list(whole, 'bob')).toHaveLength(1)
        // And when the owner of the address proves it.
        await plant()
        const user = { id: 'ann', email: 'ann@example.com' }
        expect((await whole.claimUser({ user, emailVerified: new Date() }))?.user).toBeNull()
        expect(await left()).toBe(0)
        expect(await owner(whole)).toBe('bob')
        expect((await whole.claimUser({ user, emailVerified: new Date() }))?.user?.id).toBe('ann')
      },
    )

    it('belongs to one of two users who link it at once, and stays there', async () => {
      for (const kind of Object.values(KINDS)) {
        let other = 0
        let hasInterrupted = true
        for (let at = 1; hasInterrupted; at++) {
          const prefix = `${crypto.randomUUID()}:`
          const whole = RedisAdapter({ client, prefix })
          await addUser(whole, 'ann')
          await addUser(whole, 'bob')
          hasInterrupted = false
          let sent = 0
          let bob: unknown
          const slow = RedisAdapter({
            prefix,
            client: {
              async call(command, ...args) {
                if (++sent === at) {
                  hasInterrupted = true
                  bob = await Promise.resolve(kind.link(whole, 'bob')).catch(() => null)
                }
                return client.call(command, ...args)
              },
            },
          })
          const ann = await Promise.resolve(kind.link(slow, 'ann')).catch(() => null)
          if (bob) other++
          const winner = ann ? 'ann' : 'bob'
          expect(Boolean(ann) && Boolean(bob), `before command ${at}`).toBe(false)
          expect(await kind.owner(whole), `before command ${at}`).toBe(winner)
          for (const id of ['ann', 'bob']) {
            expect(await kind.list(whole, id), id).toHaveLength(id === winner ? 1 : 0)
          }
        }
        expect(other).toBeGreaterThan(0)
      }
    })

    it('never locks the owner of an address out, or lets an attacker in', async () => {
      let wasKilled = true
      for (let commands = 0; wasKilled; commands++) {
        const { whole, mortal, killAfter } = open()
        const world = await createWorld(
          { strategy: 'database', methods: 'ours', email: true },
          Date.now,
          { used: mortal, whole },
        )
        const { 'mallory 1': mallory, 'ann 1': ann } = world.browsers
        const userId = await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
        const back = await agreeAt(world, mallory, 'careful', 'mallory')
        wasKilled = await killAfter(commands, () => mallory.send(back.href))
        const when = `killed after ${commands} commands`
        expect(await openLink(world, ann, 'ann'), when).toBe(userId)
        expect(await whole.listAccounts(userId ?? ''), when).toEqual([])
        for (const provider of ['loose', 'careful']) {
          const key = { provider, providerAccountId: 'mallory' }
          expect(await whole.getUserByAccount(key), when).toBeNull()
        }
      }
    })
  })
})
