import type { AdapterUser } from '../../base/adapter.ts'
import type { PasswordStore, StoredPassword } from '../../base/stores.ts'
import type { Account } from '../../base/user.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { uuidFrom } from '../../crypto/random.ts'
import type { PasswordConfig } from '../../providers/password.ts'

/** The store. That it is there was checked when the configuration was. */
export function passwordStore({ adapter }: ResolvedConfig): PasswordStore {
  return (adapter as StoreFor<'password'>).passwords
}

/** The password of a user. The store is queried without a user as well, so that it takes as long. */
export async function findPassword(
  config: ResolvedConfig,
  user: AdapterUser | null,
): Promise<StoredPassword | null> {
  const nobody = uuidFrom(config.ports.randomHex(16))
  const id = user?.id ?? nobody
  const found = await passwordStore(config).get(id)
  return user && found?.userId === id ? found : null
}

/** The account of a password. It is not stored: a user with a password has it. */
export function passwordAccount({ id }: PasswordConfig, user: AdapterUser): Account {
  return { provider: id, providerAccountId: user.id, userId: user.id, type: 'password' }
}
