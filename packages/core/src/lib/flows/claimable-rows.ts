import type { ResolvedConfig } from '../config/resolved.ts'
import type { Adapter } from '../model.ts'

/**
 * A store as far as it says who is in a user. Where nobody signs in with a passkey it is not asked for
 * any: older databases have no table for them, whatever the adapter can do.
 */
export function claimableRows(
  { providers }: Pick<ResolvedConfig, 'providers'>,
  adapter: Readonly<Adapter>,
): Readonly<Adapter> {
  if ([...providers.values()].some(({ type }) => type === 'webauthn')) return adapter
  const {
    createAuthenticator: _create,
    listAuthenticatorsByUserId: _list,
    deleteAuthenticator: _delete,
    ...rows
  } = adapter
  return rows
}
