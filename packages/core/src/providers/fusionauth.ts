import { logoPath } from '../lib/branding/logos/fusionauth.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at FusionAuth. */
export interface FusionAuthProfile extends StandardClaims {
  middle_name?: string
}

/** The options of the FusionAuth provider beyond the usual. */
export interface FusionAuthOptions {
  /** Required if the server has several tenants. */
  tenantId?: string
}

/**
 * Sign in with FusionAuth.
 *
 * @example
 * ```ts
 * import FusionAuth from '@siteauth/core/providers/fusionauth'
 *
 * // AUTH_FUSIONAUTH_ID, AUTH_FUSIONAUTH_SECRET, AUTH_FUSIONAUTH_ISSUER
 * export const providers = [FusionAuth]
 * ```
 */
const FusionAuth: OIDCProvider<FusionAuthProfile, FusionAuthOptions> = defineOIDC({
  id: 'fusionauth',
  name: 'FusionAuth',
  style: { brandColor: '#f58320', logoPath },
  wellKnown: '{issuer}/.well-known/openid-configuration?tenantId={tenantId}',
  consumes: ['tenantId'],
  scope: 'openid offline_access email profile',
  authorization: { url: '{issuer}/oauth2/authorize', params: { tenantId: '{tenantId}' } },
  token: { url: '{issuer}/oauth2/token' },
  userinfo: { url: '{issuer}/oauth2/userinfo' },
  profile: {
    id: 'sub',
    name: ['name', 'preferred_username', { join: ['given_name', 'middle_name', 'family_name'] }],
    email: 'email',
    image: 'picture',
  },
})

export default FusionAuth
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
