import { logoPath } from '../lib/branding/logos/pinterest.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Pinterest. */
export interface PinterestProfile {
  id?: string
  username: string
  profile_image?: string
  [claim: string]: unknown
}

/**
 * Sign in with Pinterest.
 *
 * @example
 * ```ts
 * import Pinterest from '@siteauth/core/providers/pinterest'
 *
 * // AUTH_PINTEREST_ID, AUTH_PINTEREST_SECRET
 * export const providers = [Pinterest]
 * ```
 */
const Pinterest: OAuth2Provider<PinterestProfile> = defineOAuth({
  id: 'pinterest',
  name: 'Pinterest',
  scope: 'user_accounts:read',
  scopeSeparator: ',',
  authorization: { url: 'https://www.pinterest.com/oauth' },
  token: { url: 'https://api.pinterest.com/v5/oauth/token' },
  userinfo: { url: 'https://api.pinterest.com/v5/user_account' },
  profile: {
    // Accounts are known by this name already, although people can change it.
    id: 'username',
    name: 'username',
    email: null,
    image: 'profile_image',
  },
  style: { brandColor: '#bd081c', logoPath },
})

export default Pinterest
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
