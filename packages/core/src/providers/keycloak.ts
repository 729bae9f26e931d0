import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Keycloak. */
export interface KeycloakProfile extends StandardClaims {}

/**
 * Sign in with Keycloak.
 *
 * @example
 * ```ts
 * import Keycloak from '@siteauth/core/providers/keycloak'
 *
 * // AUTH_KEYCLOAK_ID, AUTH_KEYCLOAK_SECRET, AUTH_KEYCLOAK_ISSUER
 * export const providers = [Keycloak]
 * ```
 */
const Keycloak: OIDCProvider<KeycloakProfile> = defineOIDC({
  id: 'keycloak',
  name: 'Keycloak',
  style: { brandColor: '#428bca' },
})

export default Keycloak
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
