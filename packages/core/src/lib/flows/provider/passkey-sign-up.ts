import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { EmailConfig } from '../../providers/email.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'

/**
 * How a visitor signs up with a passkey. A typed address is unproved: so if there is a way to prove
 * it, that comes first, and the passkey is added after signing in.
 */
export type PasskeySignUp =
  | 'never'
  | 'with an address that is typed'
  | { readonly first: EmailConfig }

/** How visitors sign up with passkeys of this provider. */
export function passkeySignUp(
  { providers }: Pick<ResolvedConfig, 'providers'>,
  { allowSignUp = true, allowSignUpWithUnprovenEmail = false }: WebAuthnConfig,
): PasskeySignUp {
  if (!allowSignUp) return 'never'
  const first = [...providers.values()].find(each => each.type === 'email')
  if (first) return { first }
  return allowSignUpWithUnprovenEmail ? 'with an address that is typed' : 'never'
}
