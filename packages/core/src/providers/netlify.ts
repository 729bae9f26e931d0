import { logoPath } from '../lib/branding/logos/netlify.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Netlify. */
export interface NetlifyProfile {
  id: string
  full_name?: string
  email: string
  avatar_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Netlify.
 *
 * @example
 * ```ts
 * import Netlify from '@siteauth/core/providers/netlify'
 *
 * // AUTH_NETLIFY_ID, AUTH_NETLIFY_SECRET
 * export const providers = [Netlify]
 * ```
 */
const Netlify: OAuth2Provider<NetlifyProfile> = defineOAuth({
  id: 'netlify',
  name: 'Netlify',
  authorization: { url: 'https://app.netlify.com/authorize' },
  token: { url: 'https://api.netlify.com/oauth/token' },
  userinfo: { url: 'https://api.netlify.com/api/v1/user' },
  profile: { id: 'id', name: 'full_name', email: 'email', image: 'avatar_url' },
  style: { brandColor: '#32e6e2', logoPath },
})

export default Netlify
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
