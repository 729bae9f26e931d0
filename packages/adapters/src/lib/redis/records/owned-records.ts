import { type RedisCommands, textsFrom } from '../redis-client.ts'
import type { RedisKeys } from '../redis-keys.ts'
import { SCRIPTS } from '../scripts.ts'
import { decodeValue, encodeValue, toPairs } from './encoding.ts'
import { decodeLinked, encodeLinked, newLink } from './links.ts'
import type { Pointers } from './pointers.ts'

/** What users have several of, each kind in one hash of the user. */
type RecordKind = 'accounts' | 'authenticators'

/** Names a record: its field in the hash of its user, and the key that points to that user. */
export interface RecordId {
  readonly kind: RecordKind
  readonly field: string
  readonly pointer: string
}

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

/** Records of users. A pointer and its record share a link: see `newLink`. */
export interface OwnedRecords {
  /** Stores a record and claims its pointer, which fails if another user has such a record. */
  write(id: RecordId, userId: string, record: object): Promise<boolean>
  read<T>(id: RecordId): Promise<FoundRecord<T> | null>
  /** Whether the record that a pointer was made for exists. */
  exists(id: Omit<RecordId, 'pointer'>, target: string): Promise<boolean>
  list<T>(kind: RecordKind, userId: string): Promise<T[]>
  /** Replaces a record unless its link has changed. */
  replace(id: RecordId, found: FoundRecord<unknown>, record: object): Promise<boolean>
  /** Removes a record with its pointer. Only one of several callers gets true. */
  remove(id: RecordId, found: FoundRecord<unknown>): Promise<boolean>
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

  async function exists({ kind, field }: Omit<RecordId, 'pointer'>, target: string) {
    return (await textAt(kind, target, field)) !== null
  }

  return {
    exists,
    async write({ kind, field, pointer }, userId, record) {
      const hash = keys.owned(userId, kind)
      // A caller that links an account again uses the link that it has already.
      const args = [field, newLink(), encodeValue(record)]
      const link = await runScript(SCRIPTS.writeRecord, [keys.user(userId), hash], args)
      if (typeof link !== 'string') throw new Error('no user has this id')
      const target = encodeLinked(link, userId)
      if (await pointers.claim(pointer, target, other => exists({ kind, field }, other)))
        return true
      await runScript(SCRIPTS.removeRecord, [hash], [field, link])
      return false
    },
    async read<T>({ kind, field, pointer }: RecordId) {
      const target = await pointers.read(pointer)
      if (target === null) return null
      const text = await textAt(kind, target, field)
      if (text === null) return null
      const { link, rest: userId } = decodeLinked(target)
      return { record: recordFrom<T>(text), text, target, link, userId }
    },
    async list<T>(kind: RecordKind, userId: string) {
      const texts = textsFrom(await send('hvals', keys.owned(userId, kind)))
      return texts.map(text => recordFrom<T>(text))
    },
    async replace({ kind, field }, { link, userId }, record) {
      const args = [field, link, encodeValue(record)]
      return Boolean(await runScript(SCRIPTS.replaceRecord, [keys.owned(userId, kind)], args))
    },
    async remove({ kind, field, pointer }, { link, userId, target }) {
      const hash = keys.owned(userId, kind)
      const isRemoved = await runScript(SCRIPTS.removeRecord, [hash], [field, link])
      // If it is linked again meanwhile, the pointer has another link, and stays.
      if (isRemoved) await pointers.release(pointer, target)
      return Boolean(isRemoved)
    },
    async targets(kind, userId) {
      const pairs = [...toPairs(await send('hgetall', keys.owned(userId, kind)))]
      return pairs.map(([field, text]) => {
        return [String(field), encodeLinked(decodeLinked(String(text)).link, userId)]
      })
    },
  }
}

/** The record in the text of a field. */
export function recordFrom<T>(text: string): T {
  // Sound: written by `write`.
  return decodeValue(decodeLinked(text).rest) as T
}
