import type { RevocationLog } from '@siteauth/core/adapters'
import { closeQuietly, keepListening, type Link } from '../revocations/keep-listening.ts'
import { withTimeout } from '../with-timeout.ts'
import type { RedisClient } from './redis-client.ts'
import { revocationsFrom } from './revocations.ts'

/** The options of a subscription to a channel. */
interface SubscriptionOptions {
  readonly client: RedisClient
  readonly channel: string
  readonly timeout: number
  /** Resolves when the client is connected. */
  readonly untilReady: () => Promise<unknown>
}

/**
 * Watches on a separate connection, opened the way the client opens its own; undefined if the
 * client does not show how. In a Cluster, it goes to any primary: what is published there reaches
 * every server, which works in all versions and clients, even while slots move.
 */
export function watchRedis({
  client,
  channel,
  timeout,
  untilReady,
}: SubscriptionOptions): RevocationLog['watch'] {
  const subscribe = findSubscriber(client)
  if (!subscribe) return undefined
  return async (onEnded, onLost) => {
    // A connection that is being closed still delivers messages on their way.
    let isWatching = true
    const onText = (text: string) => {
      if (!isWatching) return
      for (const revocation of revocationsFrom(text)) onEnded(revocation)
    }
    const discard = (late: Link) => void closeQuietly(late)
    const open = async (onClosed: () => void) => {
      await untilReady()
      return withTimeout(timeout, subscribe(channel, onText, onClosed), { discard })
    }
    const stop = await keepListening(open, onLost)
    // Watching ends with the client that the connection was made from.
    const emitter: object & Partial<Emitter> = client
    // The cluster client of node-redis has another name for the event.
    const end = 'masters' in client ? 'disconnect' : 'end'
    const onEnd = () => {
      emitter.off?.(end, onEnd)
      onLost()
      void stop()
    }
    emitter.on?.(end, onEnd)
    return async () => {
      isWatching = false
      emitter.off?.(end, onEnd)
      await stop()
    }
  }
}

/** Connects, and subscribes. Closes what it opened if it fails. */
type Subscribe = (
  channel: string,
  onText: (text: string) => void,
  onClosed: () => void,
) => Promise<Link>

function findSubscriber(client: RedisClient): Subscribe | null {
  if ('call' in client) {
    const { nodes }: object & Partial<IoredisClusterNodes> = client
    if (nodes) return byIoredis(() => pickOne(nodes.call(client, 'master')))
    // Sound: looked for in the same line, as below.
    return 'duplicate' in client ? byIoredis(() => client as unknown as IoredisNode) : null
  }
  // The Sentinel client of node-redis gives no access to a client that could be duplicated.
  if ('getMasterNode' in client) return null
  if ('masters' in client) {
    const { nodeClient }: object & Partial<NodeRedisClusterNodes> = client
    if (!nodeClient) return null
    // Sound: documented to be a list of what nodeClient accepts.
    const masters = () => client.masters as readonly unknown[]
    return byNodeRedis(async () => nodeClient.call(client, pickOne(masters())))
  }
  return 'duplicate' in client ? byNodeRedis(async () => client as unknown as NodeRedisNode) : null
}

function byIoredis(getNode: () => IoredisNode): Subscribe {
  return async (channel, onText, onClosed) => {
    const connection = getNode().duplicate({
      lazyConnect: true,
      autoResubscribe: false,
      // The adapter reconnects itself, so that it notices that messages may be missing.
      retryStrategy: () => null,
      sentinelRetryStrategy: () => null,
      reconnectOnError: null,
    })
    connection.on('error', () => {})
    connection.on('close', onClosed)
    connection.on('message', (_, text) => onText(String(text)))
    const close = () => connection.disconnect()
    try {
      await connection.connect()
      // This alone must not keep the process alive.
      connection.stream?.unref?.()
      await connection.subscribe(channel)
    } catch (error) {
      close()
      throw error
    }
    return { close }
  }
}

function byNodeRedis(getNode: () => Promise<NodeRedisNode>): Subscribe {
  return async (channel, onText, onClosed) => {
    const node = await getNode()
    const connection = node.duplicate({
      socket: { ...node.options?.socket, reconnectStrategy: false },
    })
    connection.on('error', onClosed)
    connection.on('end', onClosed)
    const close = () => connection.destroy?.() ?? connection.disconnect?.()
    try {
      await connection.connect()
      connection.unref?.()
      await connection.subscribe(channel, onText)
    } catch (error) {
      close()
      throw error
    }
    return { close }
  }
}

function pickOne<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('the cluster has no servers yet')
  return one
}

interface Emitter {
  on(event: 'end' | 'disconnect', listener: () => void): unknown
  off(event: 'end' | 'disconnect', listener: () => void): unknown
}

/** A client of `ioredis` for one server, as far as it is used here. */
interface IoredisNode {
  duplicate(options: object): IoredisNode
  connect(): Promise<unknown>
  subscribe(channel: string): Promise<unknown>
  on(event: string, listener: (...words: unknown[]) => void): unknown
  disconnect(): void
  readonly stream?: { unref?(): unknown }
}

interface IoredisClusterNodes {
  nodes(role: 'master'): readonly IoredisNode[]
}

/** A client of node-redis for one server, as far as it is used here. */
interface NodeRedisNode {
  readonly options?: { readonly socket?: object }
  duplicate(options: object): NodeRedisNode
  connect(): Promise<unknown>
  subscribe(channel: string, listener: (text: string) => void): Promise<unknown>
  on(event: 'error' | 'end', listener: () => void): unknown
  /** From version 5 on, */
  destroy?(): void
  /** and before. */
  disconnect?(): unknown
  unref?(): void
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
