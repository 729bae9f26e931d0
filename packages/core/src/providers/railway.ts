import { logoPath } from '../lib/branding/logos/railway.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Railway. */
export interface RailwayProfile {
  sub: string
  name?: string
  email?: string
  picture?: string
  [claim: string]: unknown
}

/**
 * Sign in with Railway.
 *
 * @example
 * ```ts
 * import Railway from '@siteauth/core/providers/railway'
 *
 * // AUTH_RAILWAY_ID, AUTH_RAILWAY_SECRET
 * export const providers = [Railway]
 * ```
 */
const Railway: OAuth2Provider<RailwayProfile> = defineOAuth({
  id: 'railway',
  name: 'Railway',
  style: { brandColor: '#0b0d0e', logoPath },
  scope: 'openid email profile',
  authorization: { url: 'https://backboard.railway.com/oauth/auth' },
  token: { url: 'https://backboard.railway.com/oauth/token' },
  userinfo: { url: 'https://backboard.railway.com/oauth/me' },
  clientAuth: 'basic',
  profile: { id: 'sub', name: 'name', email: 'email', image: 'picture' },
})

export default Railway
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
