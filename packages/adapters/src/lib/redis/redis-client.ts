/** A client of `ioredis`: a single node, Sentinel or a Cluster. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A client of `redis` (node-redis), or one that is used like it, for a single node. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
}

/** What `createSentinel` of `redis` (node-redis) makes. */
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

/** Any of the clients that a `RedisAdapter` can be given, connected. */
export type RedisClient = IoredisClient | NodeRedisClient | NodeRedisSentinel | NodeRedisCluster

/** Sends one command about one key, to the node that has it. */
export type SendCommand = (
  command: string,
  key: string,
  ...args: readonly (string | number)[]
) => Promise<unknown>

/** One way to send commands, whichever client it is. */
export function commandsOf(client: RedisClient): SendCommand {
  return async (command, key, ...args) => send(client, key, [command, key, ...args.map(String)])
}

/** A script that touches the given keys only, which are all in one slot. */
export async function runScript(
  client: RedisClient,
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly (string | number)[],
): Promise<unknown> {
  const words = [script, String(keys.length), ...keys, ...args.map(String)]
  return send(client, keys[0], ['eval', ...words])
}

function send(client: RedisClient, key: string, words: [string, ...string[]]): Promise<unknown> {
  if ('call' in client) return client.call(...words)
  if ('masters' in client) return client.sendCommand(key, false, words)
  if ('getMasterNode' in client) return client.sendCommand(false, words)
  return client.sendCommand(words)
}
