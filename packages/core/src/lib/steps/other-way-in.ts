import type { AdapterUser } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'

/** Whether somebody gets in without their password: by a link, an account or a passkey that works here. */
export async function hasOtherWayIn(
  { providers, adapter }: ResolvedConfig,
  user: AdapterUser,
): Promise<boolean> {
  const all = [...providers.values()]
  if (user.emailVerified && all.some(({ type }) => type === 'email')) return true
  const accounts = (await adapter?.listAccounts?.(user.id)) ?? []
  if (accounts.some(({ provider, type }) => type !== 'webauthn' && providers.has(provider))) {
    return true
  }
  if (!all.some(({ type }) => type === 'webauthn')) return false
  const passkeys = (await adapter?.listAuthenticatorsByUserId?.(user.id)) ?? []
  return passkeys.length > 0
}
