import type { Adapter, AdapterUser } from '@siteauth/core/adapters'
import type { RedisCommands } from '../redis-client.ts'
import type { RedisKeys } from '../redis-keys.ts'
import { SCRIPTS } from '../scripts.ts'
import { decodeHash, encodeHash } from './encoding.ts'
import type { Pointers } from './pointers.ts'

type UserUpdate = Parameters<NonNullable<Adapter['updateUser']>>

/** Users, each a hash, and the pointers from their addresses. */
export interface UserHashes {
  read(id: string): Promise<AdapterUser | null>
  create(user: Omit<AdapterUser, 'id'> & { id?: string }): Promise<AdapterUser>
  /** Changes a user and returns it, or null if it is missing. */
  update(...given: UserUpdate): Promise<AdapterUser | null>
  /** Returns false if another user has the address. */
  claimEmail(user: AdapterUser): Promise<boolean>
  /** Gives an address back, unless the user has returned to it meanwhile. */
  releaseEmail(email: string, id: string): Promise<void>
}

export function userHashes(
  { send, runScript }: RedisCommands,
  keys: RedisKeys,
  pointers: Pointers,
): UserHashes {
  async function read(id: string): Promise<AdapterUser | null> {
    return userFrom(await send('hgetall', keys.user(id)))
  }

  const claimEmail = ({ id, email }: AdapterUser) =>
    pointers.claim(keys.email(email), id, async owner => (await read(owner))?.email === email)

  return {
    read,
    claimEmail,
    async create(user) {
      const stored = { ...user, id: user.id ?? crypto.randomUUID() }
      const fields = encodeHash(stored)
      const isNew = await runScript(SCRIPTS.createHash, [keys.user(stored.id)], fields)
      if (!isNew) throw new Error('a user with this id exists already')
      return stored
    },
    async update(changes, only) {
      const script = only?.whileUnproved ? SCRIPTS.updateUnproved : SCRIPTS.updateHash
      return userFrom(await runScript(script, [keys.user(changes.id)], encodeHash(changes)))
    },
    async releaseEmail(email, id) {
      await pointers.release(keys.email(email), id)
      const user = await read(id)
      if (user?.email === email) await claimEmail(user)
    },
  }
}

export function userFrom(hash: unknown): AdapterUser | null {
  // Sound: written by `create`, field by field.
  return decodeHash(hash) as AdapterUser | null
}
