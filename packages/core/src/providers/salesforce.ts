import { logoPath } from '../lib/branding/logos/salesforce.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Salesforce. */
export interface SalesforceProfile extends StandardClaims {
  user_id?: string
  photos?: { picture?: string; thumbnail?: string }
}

/**
 * Sign in with Salesforce.
 *
 * @example
 * ```ts
 * import Salesforce from '@siteauth/core/providers/salesforce'
 *
 * // AUTH_SALESFORCE_ID, AUTH_SALESFORCE_SECRET
 * export const providers = [Salesforce]
 * ```
 */
const Salesforce: OIDCProvider<SalesforceProfile> = defineOIDC({
  id: 'salesforce',
  name: 'Salesforce',
  issuer: 'https://login.salesforce.com',
  idToken: false,
  profile: {
    id: 'sub',
    name: ['name', 'nickname'],
    email: 'email',
    image: ['picture', 'photos.picture', 'photos.thumbnail'],
  },
  style: { bg: '#00a1e0', logoPath },
})

export default Salesforce
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
