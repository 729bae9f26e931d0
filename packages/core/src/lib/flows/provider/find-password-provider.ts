import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { ProviderObject } from '../../providers/provider.ts'

/** The provider for passwords; undefined if the application does not have one. */
export function passwordProvider({ providers }: ResolvedConfig): PasswordConfig | undefined {
  return [...providers.values()].find(isPassword)
}

function isPassword(provider: ProviderObject): provider is PasswordConfig {
  return provider.type === 'password'
}
