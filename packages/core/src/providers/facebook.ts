import { logoPath } from '../lib/branding/logos/facebook.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Facebook. */
export interface FacebookProfile {
  id: string
  name: string
  /** Absent where someone has only a telephone number. */
  email?: string
  picture?: { data: { url: string } }
  [claim: string]: unknown
}

/** The options of the Facebook provider beyond the usual. */
export interface FacebookOptions {
  /** The version of the Graph API, such as `v25.0`. */
  apiVersion?: string
}

/**
 * Sign in with Facebook.
 *
 * @example
 * ```ts
 * import Facebook from '@siteauth/core/providers/facebook'
 *
 * // AUTH_FACEBOOK_ID, AUTH_FACEBOOK_SECRET
 * export const providers = [Facebook]
 * ```
 */
const Facebook: OAuth2Provider<FacebookProfile, FacebookOptions> = defineOAuth({
  id: 'facebook',
  name: 'Facebook',
  defaults: { apiVersion: 'v25.0' },
  consumes: ['apiVersion'],
  scope: 'email public_profile',
  authorization: { url: 'https://www.facebook.com/{apiVersion}/dialog/oauth' },
  token: { url: 'https://graph.facebook.com/{apiVersion}/oauth/access_token' },
  userinfo: {
    url: 'https://graph.facebook.com/{apiVersion}/me',
    params: { fields: 'id,name,email,picture' },
  },
  clientAuth: 'post',
  profile: { id: 'id', name: 'name', email: 'email', image: 'picture.data.url' },
  style: { bg: '#006aff', text: '#fff', logoPath },
})

export default Facebook
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
