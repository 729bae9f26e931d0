import { logoPath } from '../lib/branding/logos/instagram.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Instagram. */
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
  token: { url: 'https://api.instagram.com/oauth/access_token', conform: unwrapTokens },
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
  style: { bg: '#fff', text: '#000', logoPath },
})

export default Instagram

/** The answer may stand in a list of one. */
async function unwrapTokens(response: Response): Promise<Response | undefined> {
  const body: { data?: unknown } = await response.json().catch(() => ({}))
  if (!Array.isArray(body.data)) return undefined
  return Response.json(body.data[0], { status: response.status })
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
