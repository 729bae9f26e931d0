import { logoPath } from '../lib/branding/logos/linkedin.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at LinkedIn. */
export interface LinkedInProfile extends StandardClaims {}

/**
 * Sign in with LinkedIn.
 *
 * @example
 * ```ts
 * import LinkedIn from '@siteauth/core/providers/linkedin'
 *
 * // AUTH_LINKEDIN_ID, AUTH_LINKEDIN_SECRET
 * export const providers = [LinkedIn]
 * ```
 */
const LinkedIn: OIDCProvider<LinkedInProfile> = defineOIDC({
  id: 'linkedin',
  name: 'LinkedIn',
  issuer: 'https://www.linkedin.com/oauth',
  clientAuth: 'post',
  // A nonce is not echoed, and PKCE turns the application into a public client.
  checks: ['state'],
  style: { bg: '#069', text: '#fff', logoPath },
})

export default LinkedIn
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
