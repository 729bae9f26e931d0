import { Cluster, Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { RedisAdapter } from '../src/redis.ts'
import { REDIS_CLUSTER } from './servers.ts'

const nodes = (REDIS_CLUSTER ?? '').split(',')
const HOUR = 3_600_000

describe.skipIf(!REDIS_CLUSTER)('the keys of a Redis Cluster', () => {
  it('are in the slots that the guide lists', async () => {
    const prefix = `${crypto.randomUUID()}:`
    const client = new Cluster(nodes)
    const adapter = RedisAdapter({ client, prefix })
    const users = ['ann', 'b{o}b']
    for (const id of users) await storeEverything(adapter, id)
    const keys = await readKeys(prefix)
    const slots = new Map<string, Set<number>>()
    for (const key of keys) {
      // What is in braces decides; without braces, the whole key.
      const [, tag = key] = /\{(.+?)\}/.exec(key) ?? []
      const slot = Number(await client.call('cluster', 'keyslot', key))
      expect(slot).toBe(Number(await client.call('cluster', 'keyslot', tag)))
      slots.set(tag, (slots.get(tag) ?? new Set()).add(slot))
    }
    expect([...slots.values()].every(({ size }) => size === 1)).toBe(true)
    const kindsOf = (begin: string) =>
      keys
        .flatMap(key => (key.startsWith(prefix + begin) ? key.slice(prefix.length) : []))
        .toSorted()
    expect(kindsOf('{ann}')).toEqual(
      [
        'accounts',
        'authenticators',
        'password',
        'sessions',
        'tracked',
        'tracked:s:ann',
        'user',
      ].map(kind => `{ann}:${kind}`),
    )
    expect(kindsOf('{b%7Bo%7Db}')).toHaveLength(7)
    expect(kindsOf('{revocations}')).toEqual(
      ['changed', 'ends', 'until'].map(word => `{revocations}:${word}`),
    )
    const alone = keys.filter(key => !key.includes('{')).map(key => key.slice(prefix.length))
    const kinds = new Set(alone.map(key => key.split(':')[0]))
    expect([...kinds].toSorted()).toEqual([
      'account',
      'credential',
      'email',
      'limit',
      'session',
      'verification',
    ])
    expect(alone).toHaveLength(kinds.size * users.length)
    client.disconnect()
  })
})

/** Stores one thing of each kind for a user. */
async function storeEverything(adapter: ReturnType<typeof RedisAdapter>, id: string) {
  const expires = new Date(Date.now() + HOUR)
  await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session: { sessionToken: id, expires },
  })
  await adapter.createAuthenticator({
    credentialID: id,
    userId: id,
    providerAccountId: id,
    credentialPublicKey: 'key',
    counter: 0,
    credentialDeviceType: 'singleDevice',
    credentialBackedUp: false,
    transports: null,
  })
  await adapter.passwords.set({ userId: id, hash: 'hash', changedAt: new Date() })
  await adapter.trackedSessions.add({ id: `s:${id}`, userId: id, expires })
  await adapter.createVerificationToken({ identifier: id, token: id, expires })
  await adapter.limiter.take(encodeURIComponent(id), { burst: 1, refillSeconds: 60 }, Date.now())
  await adapter.revocations.end([{ key: `u:${id}`, until: expires, isGeneration: true }])
}

/** The keys of that prefix on all servers. */
async function readKeys(prefix: string): Promise<string[]> {
  const keys = new Set<string>()
  for (const node of nodes) {
    const server = new Redis(`redis://${node}`)
    for (const key of await server.keys(`${prefix}*`)) keys.add(key)
    server.disconnect()
  }
  return [...keys]
}
