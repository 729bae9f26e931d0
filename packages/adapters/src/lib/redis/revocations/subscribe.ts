import type { RevocationLog } from '@siteauth/core/adapters'
import type { RedisClient } from '../redis-client.ts'
import type { IoredisNode, NodeRedisNode, RedisNode, SubscriptionOptions } from './subscription.ts'

/**
 * Watches on a separate connection, opened the way the client opens its own; undefined if the
 * client does not show how. In a Cluster, it goes to any primary: what is published there reaches
 * every server, which works in all versions and clients, even while slots move.
 */
export function watchRedis(options: SubscriptionOptions): RevocationLog['watch'] {
  const node = findNode(options.client)
  if (!node) return undefined
  // With the first use: sessions in rows are not watched.
  return async (...listeners) => {
    const { watchNode } = await import('./subscription.ts')
    return watchNode(node, options, ...listeners)
  }
}

/** How to get at the client of one server, which can be duplicated; null if the client does not show it. */
function findNode(client: RedisClient): RedisNode | null {
  if ('call' in client) {
    const { nodes }: object & Partial<IoredisClusterNodes> = client
    if (nodes) return { ioredis: () => pickOne(nodes.call(client, 'master')) }
    // Sound: looked for in the same line, as below.
    return 'duplicate' in client ? { ioredis: () => client as unknown as IoredisNode } : null
  }
  // The Sentinel client of node-redis gives no access to a client that could be duplicated.
  if ('getMasterNode' in client) return null
  if ('masters' in client) {
    const { nodeClient }: object & Partial<NodeRedisClusterNodes> = client
    if (!nodeClient) return null
    // Sound: documented to be a list of what nodeClient accepts.
    const masters = () => client.masters as readonly unknown[]
    return { nodeRedis: async () => nodeClient.call(client, pickOne(masters())) }
  }
  return 'duplicate' in client
    ? { nodeRedis: async () => client as unknown as NodeRedisNode }
    : null
}

function pickOne<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('the cluster has no servers yet')
  return one
}

interface IoredisClusterNodes {
  nodes(role: 'master'): readonly IoredisNode[]
}

interface NodeRedisClusterNodes {
  nodeClient(node: unknown): Promise<NodeRedisNode>
}

/**
 * The number of the database and the prefix in the client's own options. Channels are shared by all
 * databases, and an application must not receive the revocations of another.
 */
export function databaseScope(client: RedisClient): string {
  const { options }: object & Partial<{ options: ClientOptions }> = client
  const database = options?.db ?? options?.database ?? 0
  return `${database}:${options?.keyPrefix ?? ''}`
}

interface ClientOptions {
  readonly db?: number
  readonly database?: number
  readonly keyPrefix?: string
}
