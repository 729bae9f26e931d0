import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { EmailConfig } from '../../providers/email.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'

/** A way to sign in that begins with an address. */
export type EmailFirstMethod = EmailConfig | PasswordConfig | WebAuthnConfig

/**
 * The ways to sign in that begin with an address, where there is more than one kind: visitors type it once,
 * and then choose. Empty where there is one kind, which has a form of its own.
 */
export function emailFirstMethods({
  providers,
}: Pick<ResolvedConfig, 'providers'>): readonly EmailFirstMethod[] {
  const methods = [...providers.values()].filter(asksForAddress)
  return new Set(methods.map(({ type }) => type)).size > 1 ? methods : []
}

function asksForAddress(provider: ProviderObject): provider is EmailFirstMethod {
  if (provider.type === 'email' || provider.type === 'password') return true
  if (provider.type !== 'webauthn') return false
  // With other fields, the application has asked for a form of its own.
  const fields = Object.keys(provider.formFields || {})
  return fields.length === 1 && fields[0] === 'email'
}
