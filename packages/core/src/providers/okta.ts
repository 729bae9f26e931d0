import { logoPath } from '../lib/branding/logos/okta.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Okta. */
export interface OktaProfile extends StandardClaims {}

/**
 * Sign in with Okta.
 *
 * @example
 * ```ts
 * import Okta from '@siteauth/core/providers/okta'
 *
 * // AUTH_OKTA_ID, AUTH_OKTA_SECRET, AUTH_OKTA_ISSUER
 * export const providers = [Okta]
 * ```
 */
const Okta: OIDCProvider<OktaProfile> = defineOIDC({
  id: 'okta',
  name: 'Okta',
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Okta
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
