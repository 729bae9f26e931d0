import { logoPath } from '../lib/branding/logos/kick.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Kick. */
export interface KickProfile {
  data: { user_id: number; name: string; email?: string; profile_picture?: string }[]
  [claim: string]: unknown
}

/**
 * Sign in with Kick.
 *
 * @example
 * ```ts
 * import Kick from '@siteauth/core/providers/kick'
 *
 * // AUTH_KICK_ID, AUTH_KICK_SECRET
 * export const providers = [Kick]
 * ```
 */
const Kick: OAuth2Provider<KickProfile> = defineOAuth({
  id: 'kick',
  name: 'Kick',
  style: { brandColor: '#53fc19', logoPath },
  scope: 'user:read',
  authorization: { url: 'https://id.kick.com/oauth/authorize' },
  token: { url: 'https://id.kick.com/oauth/token' },
  userinfo: { url: 'https://api.kick.com/public/v1/users' },
  clientAuth: 'post',
  profile: {
    id: 'data[0].user_id',
    name: 'data[0].name',
    email: 'data[0].email',
    image: 'data[0].profile_picture',
  },
})

export default Kick
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
