import { mergeOptions } from '../lib/providers/merge-options.ts'
import { loadSimpleWebAuthn, type SimpleWebAuthn } from '../lib/providers/simple-webauthn.ts'
import type {
  AttestationRequirements,
  GetUserInfo,
  RelayingParty,
  UserVerification,
  WebAuthnAuthenticationOptions,
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnProviderType,
  WebAuthnRegistrationOptions,
  WebAuthnRequest,
  WebAuthnUserConfig,
  WebAuthnUserInfo,
  WebAuthnVerifyOptions,
} from '../lib/providers/webauthn.ts'

/** How long a person may take, in milliseconds. */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 5 * 60 * 1000

/** Kept for code that refers to it. No page loads a script from elsewhere. */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION = 'v9.0.1'

/**
 * Signs people in with passkeys and security keys, including those that cannot hold a passkey.
 * Needs the `@simplewebauthn/server` package and an adapter. New applications should use `passkey`,
 * which is the same for passkeys only.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from '@siteauth/core'
 * import type { Adapter } from '@siteauth/core/adapters'
 * import WebAuthn from '@siteauth/core/providers/webauthn'
 *
 * export const configure = (adapter: Adapter): AuthConfig => ({
 *   adapter,
 *   providers: [WebAuthn({ relayingParty: { name: 'Example', id: 'example.com' } })],
 *   experimental: { enableWebAuthn: true },
 * })
 * ```
 */
export default function WebAuthn(config: WebAuthnUserConfig = {}): WebAuthnConfig {
  const defaults: WebAuthnConfig = {
    id: 'webauthn',
    name: 'WebAuthn',
    type: 'webauthn',
    enableConditionalUI: true,
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    formFields: {
      email: { label: 'Email', required: true, autocomplete: 'username webauthn' },
    },
    simpleWebAuthn: loadSimpleWebAuthn,
  }
  return mergeOptions(defaults, config)
}

export type {
  AttestationRequirements,
  GetUserInfo,
  RelayingParty,
  SimpleWebAuthn,
  UserVerification,
  WebAuthnAuthenticationOptions,
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnProviderType,
  WebAuthnRegistrationOptions,
  WebAuthnRequest,
  WebAuthnUserConfig,
  WebAuthnUserInfo,
  WebAuthnVerifyOptions,
}
