import { logoPath } from '../lib/branding/logos/faceit.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at FACEIT. */
export interface FACEITProfile {
  guid: string
  nickname?: string
  name?: string
  email?: string
  picture?: string
  [claim: string]: unknown
}

/**
 * Sign in with FACEIT.
 *
 * @example
 * ```ts
 * import FACEIT from '@siteauth/core/providers/faceit'
 *
 * // AUTH_FACEIT_ID, AUTH_FACEIT_SECRET
 * export const providers = [FACEIT]
 * ```
 */
const FACEIT: OAuth2Provider<FACEITProfile> = defineOAuth({
  id: 'faceit',
  name: 'FACEIT',
  style: { brandColor: '#ff5500', logoPath },
  scope: 'openid email profile',
  authorization: {
    url: 'https://accounts.faceit.com/accounts',
    params: { redirect_popup: 'true' },
  },
  token: { url: 'https://api.faceit.com/auth/v1/oauth/token' },
  userinfo: { url: 'https://api.faceit.com/auth/v1/resources/userinfo' },
  profile: { id: 'guid', name: ['name', 'nickname'], email: 'email', image: 'picture' },
})

export default FACEIT
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
