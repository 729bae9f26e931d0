import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Zoho. */
export interface ZohoProfile {
  ZUID: number | string
  First_Name?: string
  Last_Name?: string
  Email?: string
  [claim: string]: unknown
}

/** The options of the Zoho provider beyond the usual. */
export interface ZohoOptions {
  /** Where the accounts are kept; `com` by default. */
  dataCenter?: 'com' | 'eu' | 'in' | 'com.au' | 'jp' | 'ca' | 'sa' | 'com.cn' | (string & {})
}

/**
 * Sign in with Zoho.
 *
 * @example
 * ```ts
 * import Zoho from '@siteauth/core/providers/zoho'
 *
 * // AUTH_ZOHO_ID, AUTH_ZOHO_SECRET
 * export const providers = [Zoho]
 * ```
 */
const Zoho: OAuth2Provider<ZohoProfile, ZohoOptions> = defineOAuth({
  id: 'zoho',
  name: 'Zoho',
  defaults: { dataCenter: 'com' },
  consumes: ['dataCenter'],
  scope: 'AaaServer.profile.Read',
  scopeSeparator: ',',
  authorization: { url: 'https://accounts.zoho.{dataCenter}/oauth/v2/auth' },
  token: { url: 'https://accounts.zoho.{dataCenter}/oauth/v2/token' },
  userinfo: { url: 'https://accounts.zoho.{dataCenter}/oauth/user/info' },
  clientAuth: 'post',
  profile: { id: 'ZUID', name: { join: ['First_Name', 'Last_Name'] }, email: 'Email', image: null },
})

export default Zoho
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
