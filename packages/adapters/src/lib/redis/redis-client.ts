/** A client of `ioredis`: a single node, Sentinel or a Cluster. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A client of `redis` (node-redis), or one that is used like it: a single node or Sentinel. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
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
export type RedisClient = IoredisClient | NodeRedisClient | NodeRedisCluster

/** Sends one command about one key, to the node that has it. */
export type SendCommand = (
  command: string,
  key: string,
  ...args: readonly (string | number)[]
) => Promise<unknown>

/** One way to send commands, whichever client it is. */
export function commandsOf(client: RedisClient): SendCommand {
  return async (command, key, ...args) => {
    const words = [key, ...args].map(String)
    if ('call' in client) return client.call(command, ...words)
    if (!('masters' in client)) return client.sendCommand([command, ...words])
    return client.sendCommand(key, false, [command, ...words])
  }
}

/** A script that touches the given keys only, which are all in one slot. */
export async function runScript(
  client: RedisClient,
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly (string | number)[],
): Promise<unknown> {
  const words = [script, String(keys.length), ...keys, ...args.map(String)]
  if ('call' in client) return client.call('eval', ...words)
  if (!('masters' in client)) return client.sendCommand(['eval', ...words])
  return client.sendCommand(keys[0], false, ['eval', ...words])
}
