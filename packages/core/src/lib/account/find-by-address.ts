import type { Adapter, AdapterUser } from '../base/adapter.ts'
import { isSameAddress } from '../base/email-address.ts'

/**
 * Finds the user with an address. Some databases find `gmail.com` when asked for `gmáil.com`, so the result is
 * compared: the user of another address is not the one that was looked for.
 */
export async function findByAddress(
  rows: Required<Pick<Adapter, 'getUserByEmail'>>,
  address: string,
): Promise<AdapterUser | null> {
  const found = await rows.getUserByEmail(address)
  return found && isSameAddress(found.email, address) ? found : null
}
