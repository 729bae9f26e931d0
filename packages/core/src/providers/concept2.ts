import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Concept2. */
export interface Concept2Profile {
  data: { id: number; username: string; email: string; profile_image: string | null }
  [claim: string]: unknown
}

/**
 * Sign in with Concept2.
 *
 * @example
 * ```ts
 * import Concept2 from '@siteauth/core/providers/concept2'
 *
 * // AUTH_CONCEPT2_ID, AUTH_CONCEPT2_SECRET
 * export const providers = [Concept2]
 * ```
 */
const Concept2: OAuth2Provider<Concept2Profile> = defineOAuth({
  id: 'concept2',
  name: 'Concept2',
  scope: 'user:read',
  scopeSeparator: ',',
  authorization: { url: 'https://log.concept2.com/oauth/authorize' },
  token: { url: 'https://log.concept2.com/oauth/access_token' },
  userinfo: { url: 'https://log.concept2.com/api/users/me' },
  profile: {
    id: 'data.id',
    name: 'data.username',
    email: 'data.email',
    image: 'data.profile_image',
  },
})

export default Concept2
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
