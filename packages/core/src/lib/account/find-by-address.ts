import type { Adapter, AdapterUser } from '../base/adapter.ts'
import { isSameAddress } from '../base/email-address.ts'

/**
 * Who has an address. Some databases find `gmail.com` when asked for `gmáil.com`, so what a store
 * answers is looked at: the user of another address is not the one who was asked for.
 */
export async function findByAddress(
  rows: Required<Pick<Adapter, 'getUserByEmail'>>,
  address: string,
): Promise<AdapterUser | null> {
  const found = await rows.getUserByEmail(address)
  return found && isSameAddress(found.email, address) ? found : null
}
