import { logoPath } from '../lib/branding/logos/nextcloud.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Nextcloud. */
export interface NextcloudProfile {
  id: string
  displayname?: string
  'display-name'?: string
  email?: string | null
  [claim: string]: unknown
}

/**
 * Sign in with Nextcloud.
 *
 * @example
 * ```ts
 * import Nextcloud from '@siteauth/core/providers/nextcloud'
 *
 * // AUTH_NEXTCLOUD_ID, AUTH_NEXTCLOUD_SECRET, AUTH_NEXTCLOUD_ISSUER
 * export const providers = [Nextcloud]
 * ```
 */
const Nextcloud: OAuth2Provider<NextcloudProfile> = defineOAuth(({ issuer }) => ({
  id: 'nextcloud',
  name: 'Nextcloud',
  consumes: ['issuer'],
  authorization: { url: '{issuer}/apps/oauth2/authorize' },
  token: { url: '{issuer}/apps/oauth2/api/v1/token' },
  userinfo: {
    url: '{issuer}/ocs/v2.php/cloud/user',
    quirks: { headers: { 'ocs-apirequest': 'true' }, unwrap: 'ocs.data' },
  },
  profile: {
    id: 'id',
    name: ['displayname', 'display-name'],
    email: 'email',
    image: ({ id }) => `${issuer?.replace(/\/+$/, '')}/avatar/${encodeURIComponent(id)}/512`,
  },
  style: { bg: '#fff', text: '#0082C9', logoPath },
}))

export default Nextcloud
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
