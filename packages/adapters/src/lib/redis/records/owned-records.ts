import type { RedisCommands } from '../redis-client.ts'
import type { RecordId, RecordKind, RedisKeys } from '../redis-keys.ts'
import { SCRIPTS } from '../scripts.ts'
import { decodeValue, encodeValue, toPairs } from './encoding.ts'
import { decodeLinked, encodeLinked } from './links.ts'
import type { Pointers } from './pointers.ts'
import { createWriteRecords, type WriteRecords } from './write-records.ts'

/** The field of a record in the hash of its user, and its text. */
export type OwnedText = readonly [field: string, text: string]

/** A record as it was read by its pointer. */
export interface FoundRecord<T> {
  readonly record: T
  /** As it is stored. */
  readonly text: string
  /** The value of the pointer: the link and the user. */
  readonly target: string
  readonly link: string
  readonly userId: string
}

/**
 * Records of users. A pointer and its record share a link: see `newLink`. They are in two slots, so the pointer is written
 * first and removed last. A record is there from the moment it is written to the moment it is removed, and a pointer
 * alone, as a crash leaves it, means nothing: anybody may replace it.
 */
export interface OwnedRecords {
  /** Stores a record. Returns false if a user has it already. */
  write(id: RecordId, userId: string, record: object): Promise<boolean>
  writeAll: WriteRecords
  read<T>(id: RecordId): Promise<FoundRecord<T> | null>
  /** Whether the record that a pointer was made for exists. */
  exists(id: RecordId, target: string): Promise<boolean>
  /** The records of a user, without those that another version has written and no pointer leads to. */
  list<T>(kind: RecordKind, userId: string): Promise<T[]>
  /** Replaces a record unless it has changed since it was read. */
  replace(id: RecordId, found: FoundRecord<unknown>, record: object): Promise<boolean>
  /** Removes a record with its pointer. Only one of several callers gets true. */
  remove(id: RecordId, found: FoundRecord<unknown>): Promise<boolean>
  /** Removes a record of a user that no pointer leads to, as another version has left it. */
  removeStray(id: RecordId, userId: string): Promise<void>
  /** The records of a user by their fields, each with the value of its pointer. */
  targets(kind: RecordKind, userId: string): Promise<[field: string, target: string][]>
}

export function ownedRecords(
  { send, runScript }: RedisCommands,
  keys: RedisKeys,
  pointers: Pointers,
): OwnedRecords {
  /** The record that a pointer was made for, as it is stored. */
  async function textAt(kind: RecordKind, target: string, field: string): Promise<string | null> {
    const { link, rest: userId } = decodeLinked(target)
    const text = await send('hget', keys.owned(userId, kind), field)
    return typeof text === 'string' && decodeLinked(text).link === link ? text : null
  }

  async function exists({ kind, field }: RecordId, target: string) {
    return (await textAt(kind, target, field)) !== null
  }

  const writeAll = createWriteRecords({ runScript }, keys, pointers)

  return {
    exists,
    writeAll,
    async write(id, userId, record) {
      const outcome = await writeAll(userId, [{ ...id, record }])
      if (outcome === 'no user') throw new Error('no user has this id')
      return outcome === 'written'
    },
    async read<T>({ kind, field }: RecordId) {
      const target = await pointers.read(keys.pointer(kind, field))
      if (target === null) return null
      const text = await textAt(kind, target, field)
      if (text === null) return null
      const { link, rest: userId } = decodeLinked(target)
      return { record: recordFrom<T>(text), text, target, link, userId }
    },
    async list<T>(kind: RecordKind, userId: string) {
      const pairs = [...toPairs(await send('hgetall', keys.owned(userId, kind)))]
      // Commands that are sent at once travel together.
      const records = pairs.map(async ([field, text]) => {
        const target = await pointers.read(keys.pointer(kind, String(field)))
        return target === targetOf(text, userId) ? [recordFrom<T>(String(text))] : []
      })
      return (await Promise.all(records)).flat()
    },
    async replace({ kind, field }, { link, userId, text }, record) {
      const args = [field, text, encodeLinked(link, encodeValue(record))]
      return Boolean(await runScript(SCRIPTS.replaceRecord, [keys.owned(userId, kind)], args))
    },
    async remove({ kind, field }, { link, userId, target }) {
      const hash = keys.owned(userId, kind)
      const isRemoved = await runScript(SCRIPTS.removeRecord, [hash], [field, link])
      // If it is linked again meanwhile, the pointer has another link, and stays.
      if (isRemoved) await pointers.release(keys.pointer(kind, field), target)
      return Boolean(isRemoved)
    },
    async removeStray({ kind, field }, userId) {
      const hash = keys.owned(userId, kind)
      const text = await send('hget', hash, field)
      if (typeof text !== 'string') return
      // Read afterwards: a pointer is there before its record.
      const target = await pointers.read(keys.pointer(kind, field))
      if (target === targetOf(text, userId)) return
      await runScript(SCRIPTS.removeRecord, [hash], [field, decodeLinked(text).link])
    },
    async targets(kind, userId) {
      const pairs = [...toPairs(await send('hgetall', keys.owned(userId, kind)))]
      return pairs.map(([field, text]) => [String(field), targetOf(text, userId)])
    },
  }
}

/** The value of the pointer that belongs to the text of a field. */
export function targetOf(text: unknown, userId: string): string {
  return encodeLinked(decodeLinked(String(text)).link, userId)
}

/** The record in the text of a field. */
export function recordFrom<T>(text: string): T {
  // Sound: written by `write`.
  return decodeValue(decodeLinked(text).rest) as T
}
