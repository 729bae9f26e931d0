import { logoPath } from '../lib/branding/logos/wordpress.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at WordPress.com. */
export interface WordPressProfile {
  ID: number
  display_name: string
  email?: string
  email_verified?: boolean
  avatar_URL?: string
  [claim: string]: unknown
}

/**
 * Sign in with WordPress.com.
 *
 * @example
 * ```ts
 * import WordPress from '@siteauth/core/providers/wordpress'
 *
 * // AUTH_WORDPRESS_ID, AUTH_WORDPRESS_SECRET
 * export const providers = [WordPress]
 * ```
 */
const WordPress: OAuth2Provider<WordPressProfile> = defineOAuth({
  id: 'wordpress',
  name: 'WordPress.com',
  style: { brandColor: '#21759b', logoPath },
  scope: 'auth',
  authorization: { url: 'https://public-api.wordpress.com/oauth2/authorize' },
  token: { url: 'https://public-api.wordpress.com/oauth2/token' },
  userinfo: { url: 'https://public-api.wordpress.com/rest/v1.1/me' },
  clientAuth: 'post',
  // https://developer.wordpress.com/docs/api/1.1/get/me/
  emailVerified: 'email_verified',
  profile: { id: 'ID', name: 'display_name', email: 'email', image: 'avatar_URL' },
})

export default WordPress
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
