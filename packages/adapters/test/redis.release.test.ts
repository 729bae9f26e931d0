import { createCluster, createSentinel } from '@redis/client'
import { adapterSuite } from '@siteauth/testing/adapter'
import { describe } from 'vitest'
import { RedisAdapter } from '../src/redis.ts'
import { toSentinels } from './fail-over.ts'
import { REDIS_CLUSTER, REDIS_SENTINEL } from './servers.ts'

// With ioredis, both are in `redis.slow.test.ts`; so are one server and node-redis.

describe.skipIf(!REDIS_CLUSTER)('Redis Cluster', () => {
  const nodes = (REDIS_CLUSTER ?? '').split(',')
  let nodeRedis: { close(): Promise<unknown> }
  adapterSuite({
    name: 'redis cluster, with node-redis',
    async create() {
      const rootNodes = nodes.map(node => ({ url: `redis://${node}` }))
      const client = createCluster({ rootNodes })
      await client.connect()
      nodeRedis = client
      return RedisAdapter({ client, prefix: 'node-redis:' })
    },
    close: () => nodeRedis.close(),
  })
})

describe.skipIf(!REDIS_SENTINEL)('Redis Sentinel', () => {
  const sentinels = toSentinels((REDIS_SENTINEL ?? '').split(','))
  let nodeRedis: { close(): Promise<unknown> }
  adapterSuite({
    name: 'redis sentinel, with node-redis',
    async create() {
      const client = createSentinel({ name: 'main', sentinelRootNodes: sentinels })
      await client.connect()
      nodeRedis = client
      return RedisAdapter({ client, prefix: 'node-redis:' })
    },
    close: () => nodeRedis.close(),
  })
})
