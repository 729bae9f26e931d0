import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at IdentityServer4. */
export interface IdentityServer4Profile extends StandardClaims {}

/**
 * Sign in with an IdentityServer4.
 *
 * @deprecated IdentityServer4 has had no support since 2022; its successor is Duende IdentityServer.
 *
 * @example
 * ```ts
 * import IdentityServer4 from '@siteauth/core/providers/identity-server4'
 *
 * // AUTH_IDENTITY_SERVER4_ID, AUTH_IDENTITY_SERVER4_SECRET, AUTH_IDENTITY_SERVER4_ISSUER
 * export const providers = [IdentityServer4]
 * ```
 */
const IdentityServer4: OIDCProvider<IdentityServer4Profile> = defineOIDC({
  id: 'identity-server4',
  name: 'IdentityServer4',
})

export default IdentityServer4
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
