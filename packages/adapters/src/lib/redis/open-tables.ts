import { type OwnedRecords, ownedRecords } from './records/owned-records.ts'
import { createPointers, type Pointers } from './records/pointers.ts'
import { type UserHashes, userHashes } from './records/user-hashes.ts'
import {
  createRunScript,
  createSend,
  type RedisClient,
  type RedisCommands,
} from './redis-client.ts'
import { type RedisKeys, redisKeys } from './redis-keys.ts'

/** The key space of an adapter, with everything that its methods need to use it. */
export interface RedisTables extends RedisCommands {
  readonly keys: RedisKeys
  readonly pointers: Pointers
  readonly records: OwnedRecords
  readonly users: UserHashes
}

export function openTables(client: RedisClient, prefix: string, timeout: number): RedisTables {
  const commands = {
    send: createSend(client, timeout),
    runScript: createRunScript(client, timeout),
  }
  const keys = redisKeys(prefix)
  const pointers = createPointers(commands)
  return {
    ...commands,
    keys,
    pointers,
    records: ownedRecords(commands, keys, pointers),
    users: userHashes(commands, keys, pointers),
  }
}
