import { logoPath } from '../lib/branding/logos/strava.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Strava. */
export interface StravaProfile {
  id: number
  firstname?: string
  lastname?: string
  /** The picture. */
  profile?: string
  [claim: string]: unknown
}

/**
 * Sign in with Strava.
 *
 * @example
 * ```ts
 * import Strava from '@siteauth/core/providers/strava'
 *
 * // AUTH_STRAVA_ID, AUTH_STRAVA_SECRET
 * export const providers = [Strava]
 * ```
 */
const Strava: OAuth2Provider<StravaProfile> = defineOAuth({
  id: 'strava',
  name: 'Strava',
  style: { brandColor: '#fc4c02', logoPath },
  scope: 'read',
  scopeSeparator: ',',
  authorization: {
    url: 'https://www.strava.com/oauth/authorize',
    params: { approval_prompt: 'auto' },
  },
  token: { url: 'https://www.strava.com/api/v3/oauth/token' },
  userinfo: { url: 'https://www.strava.com/api/v3/athlete' },
  clientAuth: 'post',
  profile: { id: 'id', name: { join: ['firstname', 'lastname'] }, email: null, image: 'profile' },
})

export default Strava
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
