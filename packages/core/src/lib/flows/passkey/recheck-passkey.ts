import type { AdapterUser, Authenticator } from '../../base/adapter.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import type { VerifiedIdentity } from '../sign-in/authorize-sign-in.ts'
import { passkeyStore } from './passkey-store.ts'

/**
 * Checks that a passkey still belongs to its user. Proving the user's address locks everyone else out, perhaps at this very
 * moment. In stores that have nothing of ours, the indexes may not have one yet that was stored a moment ago.
 */
export function recheckPasskey(
  config: ResolvedConfig,
  { credentialID, providerAccountId }: Pick<Authenticator, 'credentialID' | 'providerAccountId'>,
  provider: WebAuthnConfig,
  user: AdapterUser,
): VerifiedIdentity['stillHolds'] {
  const { getAuthenticator, getAccount, listAccounts } = passkeyStore(config)
  const isOf = (found: { readonly userId: string } | null) =>
    found ? String(found.userId) === String(user.id) : !listAccounts
  return async () =>
    isOf(await getAuthenticator(credentialID)) &&
    isOf(await getAccount(providerAccountId, provider.id))
}
