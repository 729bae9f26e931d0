import { createClient, createCluster } from '@redis/client'
import { adapterSuite } from '@siteauth/testing/adapter'
import { Cluster, Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import { RedisAdapter } from '../src/redis.ts'
import { extraMethods } from './extra-methods.ts'
import { toSentinels } from './fail-over.ts'
import { movingSlot } from './moving-slot.ts'
import { linksAtOnce } from './redis-links.ts'
import { watchedRedis } from './revocations/watched-redis.ts'
import { REDIS_CLUSTER, REDIS_SENTINEL, REDIS_URL } from './servers.ts'

const nodes = (REDIS_CLUSTER ?? '').split(',')

describe.skipIf(!REDIS_URL)('Redis', () => {
  let ioredis: Redis
  adapterSuite({
    name: 'redis, with ioredis',
    create() {
      ioredis = new Redis(String(REDIS_URL))
      return RedisAdapter({ client: ioredis, prefix: 'ioredis:' })
    },
  })
  extraMethods('redis', async () => RedisAdapter({ client: ioredis }))
  linksAtOnce('redis', () => ioredis)
  afterAll(() => ioredis.disconnect())

  let nodeRedis: { close(): Promise<void> }
  adapterSuite({
    name: 'redis, with node-redis',
    async create() {
      const client = await createClient({ url: String(REDIS_URL) }).connect()
      nodeRedis = client
      return RedisAdapter({ client, prefix: 'node-redis:' })
    },
    close: () => nodeRedis.close(),
  })
})

describe.skipIf(!REDIS_CLUSTER)('Redis Cluster', () => {
  let ioredis: Cluster
  adapterSuite({
    name: 'redis cluster, with ioredis',
    create() {
      ioredis = new Cluster(nodes)
      return RedisAdapter({ client: ioredis, prefix: 'ioredis:' })
    },
  })
  extraMethods('redis cluster', async () => RedisAdapter({ client: ioredis }))
  linksAtOnce('redis cluster', () => ioredis)
  afterAll(() => ioredis.disconnect())

  watchedRedis(
    'ioredis, as a Cluster',
    async connectionName => {
      const client = new Cluster(nodes, { redisOptions: { connectionName } })
      return { client, end: () => client.disconnect() }
    },
    async () => nodes,
  )
  watchedRedis(
    'node-redis, as a Cluster',
    async name => {
      const rootNodes = nodes.map(node => ({ url: `redis://${node}` }))
      const client = createCluster({ rootNodes, defaults: { name } })
      await client.connect()
      return { client, end: () => client.destroy() }
    },
    async () => nodes,
  )

  movingSlot(nodes)
})

describe.skipIf(!REDIS_SENTINEL)('Redis Sentinel', () => {
  const sentinels = toSentinels((REDIS_SENTINEL ?? '').split(','))

  let ioredis: Redis
  adapterSuite({
    name: 'redis sentinel, with ioredis',
    create() {
      ioredis = new Redis({ sentinels, name: 'main' })
      return RedisAdapter({ client: ioredis, prefix: 'ioredis:' })
    },
  })
  extraMethods('redis sentinel', async () => RedisAdapter({ client: ioredis }))
  afterAll(() => ioredis.disconnect())

  watchedRedis(
    'ioredis, by Sentinel',
    async connectionName => {
      const client = new Redis({ sentinels, name: 'main', connectionName })
      return { client, end: () => client.disconnect() }
    },
    async () => {
      const primary = await ioredis.call('info', 'server')
      const [, port] = /tcp_port:(\d+)/.exec(String(primary)) ?? []
      return [`127.0.0.1:${port}`]
    },
  )
})
