import type { CommonProviderOptions } from './common.ts'
import type { CredentialInput } from './credentials.ts'

/** Signs people in by a passkey or a security key. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: 'webauthn'
  /** Offer passkeys in the autofill of the sign-in form. */
  enableConditionalUI?: boolean
  /** The fields of the form, by name. */
  formFields?: Record<string, CredentialInput>
  [option: string]: unknown
}
