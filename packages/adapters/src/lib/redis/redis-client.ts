import { catchClientErrors } from '../catch-client-errors.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { withTimeout } from '../with-timeout.ts'

/** A client of `ioredis`: a single node, Sentinel or a Cluster. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A client of `redis` (node-redis), or one that works like it, for a single node. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
}

/** What `createSentinel` from `redis` (node-redis) returns. */
export interface NodeRedisSentinel {
  getMasterNode(): unknown
  sendCommand(isReadonly: boolean | undefined, args: string[]): Promise<unknown>
}

/** A cluster of `redis` (node-redis). */
export interface NodeRedisCluster {
  readonly masters: unknown
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
  ): Promise<unknown>
}

/** Any client a `RedisAdapter` accepts, connected. */
export type RedisClient = IoredisClient | NodeRedisClient | NodeRedisSentinel | NodeRedisCluster

/** Sends one command about one key, to the node that has it. */
export type SendCommand = (
  command: string,
  key: string,
  ...args: readonly (string | number)[]
) => Promise<unknown>

/** Runs a script that touches the given keys only, which are all in one slot. */
export type RunScript = (
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly (string | number)[],
) => Promise<unknown>

/** What an adapter does with its client. */
export interface RedisCommands {
  readonly send: SendCommand
  readonly runScript: RunScript
}

/** The texts of a list or a set, whichever form the client returns. */
export function textsFrom(reply: unknown): string[] {
  return Array.isArray(reply) || reply instanceof Set ? [...reply].map(String) : []
}

/** Sends commands through any of the clients. */
export function createSend(client: RedisClient, timeout: number): SendCommand {
  // Without a listener, ioredis logs the error on the console and goes on.
  if (!('call' in client)) catchClientErrors(client)
  return (command, key, ...args) =>
    withTimeout(timeout, send(client, key, [command, key, ...args.map(String)]))
}

/** Runs scripts through any of the clients. */
export function createRunScript(client: RedisClient, timeout: number): RunScript {
  return (script, keys, args) => {
    const command = ['eval', script, String(keys.length), ...keys, ...args.map(String)] as const
    const isMoving = (error: unknown) =>
      error instanceof Error && error.message.startsWith('TRYAGAIN')
    // While a slot moves, its keys may be on two servers, and not every client retries on its own.
    const run = () => send(client, keys[0], [...command])
    return withTimeout(timeout, retryOnConflict(isMoving, run, timeout))
  }
}

async function send(
  client: RedisClient,
  key: string,
  command: [string, ...string[]],
): Promise<unknown> {
  if ('call' in client) return client.call(...command)
  if ('masters' in client) return client.sendCommand(key, false, command)
  if ('getMasterNode' in client) return client.sendCommand(false, command)
  return client.sendCommand(command)
}
