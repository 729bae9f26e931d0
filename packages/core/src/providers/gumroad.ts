import { logoPath } from '../lib/branding/logos/gumroad.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Gumroad. */
export interface GumroadProfile {
  success: boolean
  user: { user_id: string; name?: string; email?: string; profile_url?: string }
  [claim: string]: unknown
}

/**
 * Sign in with Gumroad.
 *
 * @example
 * ```ts
 * import Gumroad from '@siteauth/core/providers/gumroad'
 *
 * // AUTH_GUMROAD_ID, AUTH_GUMROAD_SECRET
 * export const providers = [Gumroad]
 * ```
 */
const Gumroad: OAuth2Provider<GumroadProfile> = defineOAuth({
  id: 'gumroad',
  name: 'Gumroad',
  style: { brandColor: '#ff90e8', logoPath },
  scope: 'view_profile',
  authorization: { url: 'https://gumroad.com/oauth/authorize' },
  token: { url: 'https://api.gumroad.com/oauth/token' },
  userinfo: { url: 'https://api.gumroad.com/v2/user' },
  clientAuth: 'post',
  // PKCE is not documented.
  checks: ['state'],
  profile: {
    id: 'user.user_id',
    name: 'user.name',
    email: 'user.email',
    image: 'user.profile_url',
  },
})

export default Gumroad
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
