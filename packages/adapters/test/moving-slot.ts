import { createCluster } from '@redis/client'
import { Cluster, Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../src/memory.ts'
import { RedisAdapter, type RedisClient } from '../src/redis.ts'

/** What people notice while the slot of a user moves from one server of a cluster to another. */
export function movingSlot(nodes: readonly string[]): void {
  describe('while a slot of a Redis Cluster moves', () => {
    const clients: Record<string, () => Promise<{ client: RedisClient; end: () => unknown }>> = {
      ioredis: async () => {
        const client = new Cluster([...nodes])
        return { client, end: () => client.disconnect() }
      },
      'node-redis': async () => {
        const client = createCluster({ rootNodes: nodes.map(node => ({ url: `redis://${node}` })) })
        await client.connect()
        return { client, end: () => client.destroy() }
      },
    }
    for (const [name, connect] of Object.entries(clients)) {
      it(`people sign up, in and out, by ${name}`, async () => {
        const { client, end } = await connect()
        const prefix = `${crypto.randomUUID()}:`
        const adapter = RedisAdapter({ client, prefix })
        const id = crypto.randomUUID()
        await signUp(adapter, id, 'before')
        const move = await beginMove(nodes, `${prefix}{${id}}:user`)
        // All keys are still where they were: ASK for those that are not there.
        expect((await adapter.getSessionAndUser('before'))?.user.id).toBe(id)
        expect(await adapter.listAccounts(id)).toHaveLength(1)
        // Some are here and some there, so that scripts are told to try again, until the move has ended.
        await move.half()
        const session = { sessionToken: 'during', userId: id, expires: inAnHour() }
        const created = Promise.resolve(adapter.createSession(session))
        expect((await adapter.getSessionAndUser('before'))?.user.id).toBe(id)
        await move.finish()
        await created
        // MOVED, for whoever asks where they were.
        expect((await adapter.getSessionAndUser('during'))?.user.id).toBe(id)
        expect(await adapter.deleteSessions(id)).toBe(2)
        await adapter.deleteUser(id)
        expect(await adapter.getUser(id)).toBeNull()
        end()
      })
    }
  })
}

/** Moves the slot of a key to another primary, in three steps. */
export async function beginMove(nodes: readonly string[], key: string) {
  const any = new Redis(`redis://${nodes[0]}`)
  const slot = Number(await any.call('cluster', 'keyslot', key))
  const lines = String(await any.call('cluster', 'nodes'))
    .trim()
    .split('\n')
  any.disconnect()
  const primaries = lines
    .map(line => line.split(' '))
    .filter(([, , flags = '']) => flags.includes('master') && !flags.includes('fail'))
    .map(([id = '', address = '', , , , , , , ...ranges]) => ({
      id,
      address: address.split('@')[0] ?? '',
      has: ranges.some(range => {
        const [first, last = first] = range.split('-').map(Number)
        return first !== undefined && last !== undefined && first <= slot && slot <= last
      }),
    }))
  const source = primaries.find(({ has }) => has)
  const target = primaries.find(({ has }) => !has)
  if (!source || !target) throw new Error('a cluster of several primaries')
  const from = new Redis(`redis://${source.address}`)
  const to = new Redis(`redis://${target.address}`)
  await to.call('cluster', 'setslot', String(slot), 'importing', source.id)
  await from.call('cluster', 'setslot', String(slot), 'migrating', target.id)
  const [host = '', port = ''] = target.address.split(':')
  const migrate = async (keys: readonly string[]) => {
    for (const key of keys) await from.call('migrate', host, port, key, '0', '5000')
  }
  const keysLeft = async () => {
    // Sound: the documented reply.
    return (await from.call('cluster', 'getkeysinslot', String(slot), '1000')) as string[]
  }
  return {
    half: async () => migrate([key]),
    async finish() {
      await migrate(await keysLeft())
      for (const client of [to, from]) {
        await client.call('cluster', 'setslot', String(slot), 'node', target.id)
      }
      from.disconnect()
      to.disconnect()
    },
  }
}

async function signUp(adapter: CompleteAdapter, id: string, sessionToken: string) {
  await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session: { sessionToken, expires: inAnHour() },
  })
}

function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000)
}
