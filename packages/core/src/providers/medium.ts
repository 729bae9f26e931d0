import { logoPath } from '../lib/branding/logos/medium.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Medium. */
export interface MediumProfile {
  data: { id: string; name: string; imageUrl?: string }
  [claim: string]: unknown
}

/**
 * Sign in with Medium.
 *
 * @deprecated Medium closed its API to new applications in 2023.
 *
 * @example
 * ```ts
 * import Medium from '@siteauth/core/providers/medium'
 *
 * // AUTH_MEDIUM_ID, AUTH_MEDIUM_SECRET
 * export const providers = [Medium]
 * ```
 */
const Medium: OAuth2Provider<MediumProfile> = defineOAuth({
  id: 'medium',
  name: 'Medium',
  style: { brandColor: '#000000', logoPath },
  scope: 'basicProfile',
  authorization: { url: 'https://medium.com/m/oauth/authorize' },
  token: { url: 'https://api.medium.com/v1/tokens' },
  userinfo: { url: 'https://api.medium.com/v1/me' },
  profile: { id: 'data.id', name: 'data.name', email: null, image: 'data.imageUrl' },
})

export default Medium
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
