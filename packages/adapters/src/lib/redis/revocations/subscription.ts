import type { RevocationLog } from '@siteauth/core/adapters'
import { closeQuietly, keepListening, type Link } from '../../revocations/keep-listening.ts'
import { withTimeout } from '../../with-timeout.ts'
import type { RedisClient } from '../redis-client.ts'
import { revocationsFrom } from './revocations.ts'

/** The options of a subscription to a channel. */
export interface SubscriptionOptions {
  readonly client: RedisClient
  readonly channel: string
  readonly timeout: number
  /** Resolves when the client is connected. */
  readonly untilReady: () => Promise<unknown>
}

/** Returns the client of one server, of one library or the other. */
export type RedisNode =
  | { readonly ioredis: () => IoredisNode }
  | { readonly nodeRedis: () => Promise<NodeRedisNode> }

/** Watches on a connection of its own to that server. */
export async function watchNode(
  node: RedisNode,
  { client, channel, timeout, untilReady }: SubscriptionOptions,
  ...[onEnded, onLost, onListening]: Parameters<NonNullable<RevocationLog['watch']>>
): Promise<() => Promise<void>> {
  const subscribe = 'ioredis' in node ? byIoredis(node.ioredis) : byNodeRedis(node.nodeRedis)
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
  const stop = await keepListening(open, onLost, onListening)
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

/** Connects, and subscribes. Closes what it opened if it fails. */
type Subscribe = (
  channel: string,
  onText: (text: string) => void,
  onClosed: () => void,
) => Promise<Link>

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

interface Emitter {
  on(event: 'end' | 'disconnect', listener: () => void): unknown
  off(event: 'end' | 'disconnect', listener: () => void): unknown
}

/** A client of `ioredis` for one server, as far as it is used here. */
export interface IoredisNode {
  duplicate(options: object): IoredisNode
  connect(): Promise<unknown>
  subscribe(channel: string): Promise<unknown>
  on(event: string, listener: (...words: unknown[]) => void): unknown
  disconnect(): void
  readonly stream?: { unref?(): unknown }
}

/** A client of node-redis for one server, as far as it is used here. */
export interface NodeRedisNode {
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
