import { logoPath } from '../lib/branding/logos/mattermost.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Mattermost. */
export interface MattermostProfile {
  id: string
  username: string
  first_name?: string
  last_name?: string
  email: string
  email_verified?: boolean
  [claim: string]: unknown
}

/**
 * Sign in with Mattermost.
 *
 * @example
 * ```ts
 * import Mattermost from '@siteauth/core/providers/mattermost'
 *
 * // AUTH_MATTERMOST_ID, AUTH_MATTERMOST_SECRET, AUTH_MATTERMOST_ISSUER
 * export const providers = [Mattermost]
 * ```
 */
const Mattermost: OAuth2Provider<MattermostProfile> = defineOAuth({
  id: 'mattermost',
  name: 'Mattermost',
  consumes: ['issuer'],
  authorization: { url: '{issuer}/oauth/authorize' },
  token: { url: '{issuer}/oauth/access_token' },
  userinfo: { url: '{issuer}/api/v4/users/me' },
  clientAuth: 'post',
  // https://developers.mattermost.com/api-documentation/#/operations/GetUser
  emailVerified: 'email_verified',
  profile: {
    id: 'id',
    name: ['username', { join: ['first_name', 'last_name'] }],
    email: 'email',
    image: null,
  },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Mattermost
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
