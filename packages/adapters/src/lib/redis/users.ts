import type { AdapterUser } from '@siteauth/core/adapters'
import type { UserMethods } from '../adapter-methods.ts'
import { inChunks } from '../in-chunks.ts'
import { OWNED_TABLES, type OwnedTable } from '../table-rules.ts'
import { accountId } from './accounts.ts'
import { deleteEnded } from './delete-ended.ts'
import type { RedisTables } from './open-tables.ts'
import { encodeValue } from './records/encoding.ts'
import { decodeLinked } from './records/links.ts'
import { SCRIPTS } from './scripts.ts'
import { listTokens } from './sessions.ts'
import { redisTrackedSessions } from './tracked-sessions.ts'

export function redisUsers(tables: RedisTables): UserMethods {
  const { send, keys, pointers, records, users } = tables
  return {
    async createUser(user) {
      const stored = await users.create(user)
      if (stored.email && !(await users.claimEmail(stored))) {
        await send('del', keys.user(stored.id))
        throw new Error(ADDRESS_TAKEN)
      }
      return stored
    },
    getUser: id => users.read(id),
    async getUserByEmail(email) {
      const id = await pointers.read(keys.email(email))
      const user = id === null ? null : await users.read(id)
      return user?.email === email ? user : null
    },
    async getUserByAccount(account) {
      const target = await pointers.read(keys.pointer('accounts', keys.accountField(account)))
      if (target === null) return null
      // Commands that are sent at once travel together.
      const [user, isLinked] = await Promise.all([
        users.read(decodeLinked(target).rest),
        records.exists(accountId(tables, account), target),
      ])
      return isLinked ? user : null
    },
    updateUser: (...given) => updateUser(tables, ...given),
    deleteUser: id => deleteUser(tables, id),
  }
}

async function updateUser(
  { send, keys, users }: RedisTables,
  ...[changes, only]: Parameters<UserMethods['updateUser']>
): Promise<AdapterUser> {
  const { id, email } = changes
  const before = email === undefined ? null : await users.read(id)
  const user = await users.update(changes, only)
  if (!user) throw new Error('no user has this id')
  if (before && before.email !== user.email) {
    if (user.email && !(await users.claimEmail(user))) {
      await send('hset', keys.user(id), 'email', encodeValue(before.email))
      throw new Error(ADDRESS_TAKEN)
    }
    if (before.email) await users.releaseEmail(before.email, id)
  }
  return user
}

const ADDRESS_TAKEN = 'a user with this address exists already'

export async function deleteUser(tables: RedisTables, id: string): Promise<AdapterUser | null> {
  const { keys, pointers, users, runScript } = tables
  const user = await users.read(id)
  const data = userData(tables, id)
  const owned = OWNED_TABLES.map(table => data[table])
  const leftovers = await Promise.all(owned.map(({ findLeftovers }) => findLeftovers()))
  const ownKeys = owned.flatMap(({ key }) => key ?? [])
  // No pointer to the user leads anywhere after this; the rest is tidying up.
  await runScript(SCRIPTS.deleteAll, [keys.user(id), ...ownKeys], [])
  if (user?.email) await pointers.release(keys.email(user.email), id)
  await inChunks(leftovers.flat(), remove => remove())
  return user
}

/** What one table has of a user. */
interface UserData {
  /** The key of the user that leads to it, and is deleted together with the user. */
  readonly key: string | null
  /** Finds what remains without that key. Returns functions that remove it. */
  readonly findLeftovers: () => Promise<readonly (() => Promise<unknown>)[]>
}

function userData(tables: RedisTables, id: string): Readonly<Record<OwnedTable, UserData>> {
  const { keys, pointers, records } = tables
  return {
    accounts: {
      key: keys.owned(id, 'accounts'),
      findLeftovers: async () =>
        (await records.targets('accounts', id)).map(([field, target]) => {
          return () => pointers.release(keys.pointer('accounts', field), target)
        }),
    },
    authenticators: {
      key: keys.owned(id, 'authenticators'),
      findLeftovers: async () =>
        (await records.targets('authenticators', id)).map(([field, target]) => {
          return () => pointers.release(keys.pointer('authenticators', field), target)
        }),
    },
    sessions: {
      key: keys.owned(id, 'sessions'),
      async findLeftovers() {
        const tokens = await listTokens(tables, id)
        return [() => deleteEnded(tables, tokens)]
      },
    },
    passwords: { key: keys.owned(id, 'password'), findLeftovers: async () => [] },
    trackedSessions: {
      key: null,
      findLeftovers: async () => [async () => redisTrackedSessions(tables).removeAll(id)],
    },
  }
}
