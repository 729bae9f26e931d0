import type { Adapter, AdapterUser } from '@siteauth/core/adapters'
import type { User } from '@siteauth/core/types'

/** The user as an adapter knows them, stored if they are not; as they are, if there is no adapter. */
export async function findOrStoreUser(adapter: Adapter | undefined, user: User): Promise<User> {
  if (!adapter?.createUser) return user
  const found = (await find(adapter, user)) ?? (await store(adapter, user))
  return { ...user, ...found }
}

async function find(adapter: Adapter, { id, email }: User): Promise<AdapterUser | null> {
  const byId = id === undefined ? null : await adapter.getUser?.(id)
  return byId ?? (email ? ((await adapter.getUserByEmail?.(email)) ?? null) : null)
}

async function store(adapter: Adapter, user: User): Promise<AdapterUser | undefined> {
  const id = user.id ?? crypto.randomUUID()
  const email = user.email ?? `${id}@example.com` // stores demand one
  try {
    return await adapter.createUser?.({ emailVerified: null, ...user, id, email })
  } catch (error) {
    // Tests that run side by side store the same person.
    const other = await find(adapter, { ...user, id, email })
    if (!other) throw error
    return other
  }
}
