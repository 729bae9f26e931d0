import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Beyond Identity. */
export interface BeyondIdentityProfile extends StandardClaims {}

/**
 * Sign in with Beyond Identity.
 *
 * @example
 * ```ts
 * import BeyondIdentity from '@siteauth/core/providers/beyondidentity'
 *
 * // AUTH_BEYONDIDENTITY_ID, AUTH_BEYONDIDENTITY_SECRET, AUTH_BEYONDIDENTITY_ISSUER
 * export const providers = [BeyondIdentity]
 * ```
 */
const BeyondIdentity: OIDCProvider<BeyondIdentityProfile> = defineOIDC({
  id: 'beyondidentity',
  name: 'Beyond Identity',
  profile: {
    id: 'sub',
    name: 'name',
    email: 'email',
    image: null,
    preferred_username: 'preferred_username',
  },
  style: { bg: '#5077c5', text: '#fff' },
})

export default BeyondIdentity
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
