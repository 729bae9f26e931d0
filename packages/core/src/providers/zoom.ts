import { logoPath } from '../lib/branding/logos/zoom.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Zoom. */
export interface ZoomProfile {
  id: string
  first_name?: string
  last_name?: string
  display_name?: string
  email?: string
  /** 1 where the address is verified. */
  verified?: number
  pic_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Zoom.
 *
 * @example
 * ```ts
 * import Zoom from '@siteauth/core/providers/zoom'
 *
 * // AUTH_ZOOM_ID, AUTH_ZOOM_SECRET
 * export const providers = [Zoom]
 * ```
 */
const Zoom: OAuth2Provider<ZoomProfile> = defineOAuth({
  id: 'zoom',
  name: 'Zoom',
  authorization: { url: 'https://zoom.us/oauth/authorize' },
  token: { url: 'https://zoom.us/oauth/token' },
  userinfo: { url: 'https://api.zoom.us/v2/users/me' },
  // https://developers.zoom.us/docs/api/users/#tag/users/get/users/{userId}
  emailVerified: ({ verified }) => verified === 1,
  profile: {
    id: 'id',
    name: [{ join: ['first_name', 'last_name'] }, 'display_name'],
    email: 'email',
    image: 'pic_url',
  },
  style: { bg: '#0b5cff', text: '#fff', logoPath },
})

export default Zoom
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
