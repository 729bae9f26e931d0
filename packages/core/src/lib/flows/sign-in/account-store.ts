import type { Adapter } from '../../base/adapter.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'

/**
 * A store as far as it says who is in a user, and puts them out: wherever their sessions are. Where nobody signs in
 * with a passkey, or a password, it is not asked for any: older databases have no table for them, whatever the
 * adapter can do.
 */
export function claimableRows(
  { providers, endUser }: Pick<ResolvedConfig, 'providers' | 'endUser'>,
  adapter: Readonly<Adapter>,
): Readonly<Adapter> {
  const { deleteSessions: _, ...others } = adapter
  const types = new Set([...providers.values()].map(({ type }) => type))
  const { passwords: _passwords, ...withoutPasswords } = others
  const owned = types.has('password') ? others : withoutPasswords
  const all = endUser ? { ...owned, deleteSessions: endUser } : owned
  if (types.has('webauthn')) return all
  const {
    createAuthenticator: _create,
    listAuthenticatorsByUserId: _list,
    deleteAuthenticator: _delete,
    ...rows
  } = all
  return rows
}
