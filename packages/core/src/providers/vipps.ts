import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Vipps. */
export interface VippsProfile extends StandardClaims {}

/**
 * Sign in with Vipps.
 *
 * @example
 * ```ts
 * import Vipps from '@siteauth/core/providers/vipps'
 *
 * // AUTH_VIPPS_ID, AUTH_VIPPS_SECRET
 * export const providers = [Vipps]
 * ```
 */
const Vipps: OIDCProvider<VippsProfile> = defineOIDC({
  id: 'vipps',
  name: 'Vipps',
  issuer: 'https://api.vipps.no/access-management-1.0/access/',
  scope: 'openid name email',
  idToken: false,
  style: { brandColor: '#f05c18' },
})

export default Vipps
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
