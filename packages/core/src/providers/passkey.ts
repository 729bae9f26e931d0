import { mergeOptions } from '../lib/providers/merge-options.ts'
import type { WebAuthnConfig, WebAuthnUserConfig } from '../lib/providers/webauthn.ts'
import WebAuthn from './webauthn.ts'

/**
 * Signs people in with a passkey: no name needed, just a fingerprint, a face or a PIN. Needs the
 * `@simplewebauthn/server` package and an adapter.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from '@siteauth/core'
 * import type { Adapter } from '@siteauth/core/adapters'
 * import Passkey from '@siteauth/core/providers/passkey'
 *
 * export const configure = (adapter: Adapter): AuthConfig => ({
 *   adapter,
 *   providers: [Passkey],
 *   experimental: { enableWebAuthn: true },
 * })
 * ```
 */
export default function Passkey(config: WebAuthnUserConfig = {}): WebAuthnConfig {
  const required: WebAuthnUserConfig = {
    id: 'passkey',
    name: 'Passkey',
    authenticationOptions: { userVerification: 'required' },
    registrationOptions: {
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
    verifyAuthenticationOptions: { requireUserVerification: true },
    verifyRegistrationOptions: { requireUserVerification: true },
  }
  return WebAuthn(mergeOptions(required, config))
}

export type { WebAuthnConfig, WebAuthnUserConfig } from '../lib/providers/webauthn.ts'
