import { logoPath } from '../lib/branding/logos/naver.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Naver. */
export interface NaverProfile {
  resultcode: string
  response: { id: string; nickname?: string; name?: string; email?: string; profile_image?: string }
  [claim: string]: unknown
}

/**
 * Sign in with Naver.
 *
 * @example
 * ```ts
 * import Naver from '@siteauth/core/providers/naver'
 *
 * // AUTH_NAVER_ID, AUTH_NAVER_SECRET
 * export const providers = [Naver]
 * ```
 */
const Naver: OAuth2Provider<NaverProfile> = defineOAuth({
  id: 'naver',
  name: 'Naver',
  style: { brandColor: '#03c75a', logoPath },
  authorization: { url: 'https://nid.naver.com/oauth2.0/authorize' },
  token: { url: 'https://nid.naver.com/oauth2.0/token' },
  userinfo: { url: 'https://openapi.naver.com/v1/nid/me' },
  clientAuth: 'post',
  // State is required, PKCE is not documented.
  checks: ['state'],
  profile: {
    id: 'response.id',
    name: ['response.nickname', 'response.name'],
    email: 'response.email',
    image: 'response.profile_image',
  },
})

export default Naver
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
