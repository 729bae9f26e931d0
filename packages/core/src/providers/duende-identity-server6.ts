import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at DuendeIdentityServer6. */
export interface DuendeISProfile extends StandardClaims {}

/** The same, by its former name. */
export type DuendeISUser = DuendeISProfile

/**
 * Sign in with a Duende IdentityServer.
 *
 * @example
 * ```ts
 * import DuendeIdentityServer6 from '@siteauth/core/providers/duende-identity-server6'
 *
 * // AUTH_DUENDE_IDENTITY_SERVER6_ID, AUTH_DUENDE_IDENTITY_SERVER6_SECRET, AUTH_DUENDE_IDENTITY_SERVER6_ISSUER
 * export const providers = [DuendeIdentityServer6]
 * ```
 */
const DuendeIdentityServer6: OIDCProvider<DuendeISProfile> = defineOIDC({
  id: 'duende-identity-server6',
  name: 'DuendeIdentityServer6',
})

export default DuendeIdentityServer6
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
