import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Webex. */
export interface WebexProfile {
  id: string
  displayName?: string
  emails: string[]
  avatar?: string
  [claim: string]: unknown
}

/** The options of the Webex provider beyond the usual. */
export interface WebexOptions {
  /** The address of the API, for test environments. */
  apiBaseUrl?: string
}

/**
 * Sign in with Webex.
 *
 * @example
 * ```ts
 * import Webex from '@siteauth/core/providers/webex'
 *
 * // AUTH_WEBEX_ID, AUTH_WEBEX_SECRET
 * export const providers = [Webex]
 * ```
 */
const Webex: OAuth2Provider<WebexProfile, WebexOptions> = defineOAuth({
  id: 'webex',
  name: 'Webex',
  style: { brandColor: '#000000' },
  defaults: { apiBaseUrl: 'https://webexapis.com/v1' },
  consumes: ['apiBaseUrl'],
  scope: 'spark:kms spark:people_read',
  authorization: { url: '{apiBaseUrl}/authorize' },
  token: { url: '{apiBaseUrl}/access_token' },
  userinfo: { url: '{apiBaseUrl}/people/me' },
  clientAuth: 'post',
  profile: { id: 'id', name: 'displayName', email: 'emails[0]', image: 'avatar' },
})

export default Webex
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
