import { logoPath } from '../lib/branding/logos/tiktok.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at TikTok. */
export interface TikTokProfile {
  data: {
    user: {
      open_id: string
      display_name?: string
      username?: string
      avatar_url?: string
      avatar_large_url?: string
    }
  }
  [claim: string]: unknown
}

/**
 * Sign in with TikTok.
 *
 * @example
 * ```ts
 * import TikTok from '@siteauth/core/providers/tiktok'
 *
 * // AUTH_TIKTOK_ID, AUTH_TIKTOK_SECRET
 * export const providers = [TikTok]
 * ```
 */
const TikTok: OAuth2Provider<TikTokProfile> = defineOAuth({
  id: 'tiktok',
  name: 'TikTok',
  scope: 'user.info.basic',
  scopeSeparator: ',',
  clientIdParam: 'client_key',
  authorization: { url: 'https://www.tiktok.com/v2/auth/authorize/' },
  token: { url: 'https://open.tiktokapis.com/v2/oauth/token/' },
  userinfo: {
    url: 'https://open.tiktokapis.com/v2/user/info/',
    params: { fields: 'open_id,avatar_url,display_name' },
  },
  clientAuth: 'post',
  // PKCE is for applications that are installed.
  checks: ['state'],
  profile: {
    id: 'data.user.open_id',
    name: ['data.user.display_name', 'data.user.username'],
    email: null,
    image: ['data.user.avatar_large_url', 'data.user.avatar_url'],
  },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default TikTok
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'

/** The same under the name that applications of Auth.js know. */
export type TiktokProfile = TikTokProfile
