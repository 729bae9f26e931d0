import { isRecord } from '../lib/providers/api-request.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import { repairTokens } from '../lib/providers/repair-tokens.ts'

/** What Instagram says about a person. */
export interface InstagramProfile {
  user_id?: string
  id?: string
  username: string
  name?: string
  profile_picture_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Instagram.
 *
 * @example
 * ```ts
 * import Instagram from '@siteauth/core/providers/instagram'
 *
 * // AUTH_INSTAGRAM_ID, AUTH_INSTAGRAM_SECRET
 * export const providers = [Instagram]
 * ```
 */
const Instagram: OAuth2Provider<InstagramProfile> = defineOAuth({
  id: 'instagram',
  name: 'Instagram',
  scope: 'instagram_business_basic',
  scopeSeparator: ',',
  authorization: { url: 'https://www.instagram.com/oauth/authorize' },
  token: {
    url: 'https://api.instagram.com/oauth/access_token',
    conform: repairTokens(unwrapTokens),
  },
  userinfo: {
    url: 'https://graph.instagram.com/me',
    params: { fields: 'user_id,username,name,profile_picture_url' },
  },
  clientAuth: 'post',
  profile: {
    id: ['user_id', 'id'],
    name: ['username', 'name'],
    email: null,
    image: 'profile_picture_url',
  },
  style: { bg: '#fff', text: '#000' },
})

export default Instagram

/** The answer may stand in a list of one, and does not say which kind of token it is. */
function unwrapTokens(body: Record<string, unknown>): Record<string, unknown> {
  const first: unknown = Array.isArray(body['data']) ? body['data'][0] : undefined
  return { token_type: 'bearer', ...(isRecord(first) ? first : body) }
}
