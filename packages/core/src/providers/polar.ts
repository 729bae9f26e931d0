import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Polar. */
export interface PolarProfile {
  id?: string
  sub?: string
  public_name?: string
  username?: string
  name?: string
  email?: string
  email_verified?: boolean
  avatar_url?: string
  picture?: string
  [claim: string]: unknown
}

/**
 * Sign in with Polar.
 *
 * @example
 * ```ts
 * import Polar from '@siteauth/core/providers/polar'
 *
 * // AUTH_POLAR_ID, AUTH_POLAR_SECRET
 * export const providers = [Polar]
 * ```
 */
const Polar: OAuth2Provider<PolarProfile> = defineOAuth({
  id: 'polar',
  name: 'Polar',
  scope: 'openid profile email',
  authorization: { url: 'https://polar.sh/oauth2/authorize' },
  token: { url: 'https://api.polar.sh/v1/oauth2/token' },
  userinfo: { url: 'https://api.polar.sh/v1/oauth2/userinfo' },
  clientAuth: 'post',
  // https://polar.sh/docs/api-reference/oauth2/connect/get-userinfo
  emailVerified: 'email_verified',
  profile: {
    id: ['id', 'sub'],
    name: ['public_name', 'username', 'name'],
    email: 'email',
    image: ['avatar_url', 'picture'],
  },
})

export default Polar
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
