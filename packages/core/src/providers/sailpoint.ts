import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at SailPoint. */
export interface SailPointProfile {
  id: string
  uid?: string
  email?: string
  [claim: string]: unknown
}

/** The options of the SailPoint provider beyond the usual. */
export interface SailPointOptions {
  /** The address of the tenant, such as `https://example.identitynow.com`. */
  baseUrl?: string
  /** The address of its API, such as `https://example.api.identitynow.com`. */
  baseApiUrl?: string
}

/**
 * Sign in with SailPoint.
 *
 * @example
 * ```ts
 * import SailPoint from '@siteauth/core/providers/sailpoint'
 *
 * // AUTH_SAILPOINT_ID, AUTH_SAILPOINT_SECRET
 * export const providers = [SailPoint]
 * ```
 */
const SailPoint: OAuth2Provider<SailPointProfile, SailPointOptions> = defineOAuth({
  id: 'sailpoint',
  name: 'SailPoint',
  consumes: ['baseUrl', 'baseApiUrl'],
  scope: 'sp:scopes:all',
  authorization: { url: '{baseUrl}/oauth/authorize' },
  token: { url: '{baseApiUrl}/oauth/token' },
  userinfo: { url: '{baseApiUrl}/oauth/userinfo' },
  profile: { id: 'id', name: 'uid', email: 'email', image: null },
  style: { brandColor: '#011E69' },
})

export default SailPoint
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
