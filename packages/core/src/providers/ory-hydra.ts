import { logoPath } from '../lib/branding/logos/ory-hydra.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Hydra. */
export interface OryHydraProfile extends StandardClaims {}

/**
 * Sign in with Ory Hydra. The id of the provider is `hydra`.
 *
 * @example
 * ```ts
 * import OryHydra from '@siteauth/core/providers/ory-hydra'
 *
 * // AUTH_HYDRA_ID, AUTH_HYDRA_SECRET, AUTH_HYDRA_ISSUER
 * export const providers = [OryHydra]
 * ```
 */
const OryHydra: OIDCProvider<OryHydraProfile> = defineOIDC({
  id: 'hydra',
  name: 'Hydra',
  style: { bg: '#fff', text: '#0F172A', logoPath },
})

export default OryHydra
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
