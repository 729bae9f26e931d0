import { logoPath } from '../lib/branding/logos/reddit.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Reddit. */
export interface RedditProfile {
  id: string
  name: string
  icon_img?: string
  snoovatar_img?: string
  [claim: string]: unknown
}

/**
 * Sign in with Reddit.
 *
 * @example
 * ```ts
 * import Reddit from '@siteauth/core/providers/reddit'
 *
 * // AUTH_REDDIT_ID, AUTH_REDDIT_SECRET
 * export const providers = [Reddit]
 * ```
 */
const Reddit: OAuth2Provider<RedditProfile> = defineOAuth({
  id: 'reddit',
  name: 'Reddit',
  scope: 'identity',
  authorization: { url: 'https://www.reddit.com/api/v1/authorize' },
  token: { url: 'https://www.reddit.com/api/v1/access_token' },
  revocation: 'https://www.reddit.com/api/v1/revoke_token',
  userinfo: { url: 'https://oauth.reddit.com/api/v1/me' },
  // PKCE is not documented.
  checks: ['state'],
  profile: {
    id: 'id',
    name: 'name',
    email: null,
    // Written for HTML.
    image: ({ icon_img, snoovatar_img }) => (icon_img || snoovatar_img)?.replaceAll('&amp;', '&'),
  },
  style: { brandColor: '#FF4500', logoPath },
})

export default Reddit
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
