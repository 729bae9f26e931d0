import type { AdapterUser } from '../../base/adapter.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'

/** Whether the user can sign in without the password: by a link, an account or a passkey that works here. */
export async function hasOtherSignInMethod(
  config: ResolvedConfig,
  user: AdapterUser,
): Promise<boolean> {
  const accounts = (await config.adapter?.listAccounts?.(user.id)) ?? []
  const canSignIn = accounts.some(
    ({ provider, type }) => type !== 'webauthn' && config.providers.has(provider),
  )
  return canSignIn || hasMethodWithoutAccount(config, user, ['email'])
}

/**
 * Whether the user can sign in without any account: by a message to a proved address, or by a passkey.
 *
 * @param mailing the types of providers that send something to get in by
 */
export async function hasMethodWithoutAccount(
  { providers, adapter }: Pick<ResolvedConfig, 'providers' | 'adapter'>,
  user: Pick<AdapterUser, 'id' | 'email' | 'emailVerified'>,
  mailing: readonly ('email' | 'password')[],
): Promise<boolean> {
  const types = new Set<string>([...providers.values()].map(({ type }) => type))
  if (user.email && user.emailVerified && mailing.some(type => types.has(type))) return true
  if (!types.has('webauthn')) return false
  return ((await adapter?.listAuthenticatorsByUserId?.(user.id)) ?? []).length > 0
}
