import { mark } from '../lib/marks/42-school.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** What 42 School says about a person. */
export interface FortyTwoProfile {
  id: number
  login: string
  email: string
  usual_full_name: string | null
  displayname?: string
  image: { link: string | null }
  [claim: string]: unknown
}

/**
 * Sign in with 42 School.
 *
 * @example
 * ```ts
 * import FortyTwo from '@siteauth/core/providers/42-school'
 *
 * // AUTH_42_SCHOOL_ID, AUTH_42_SCHOOL_SECRET
 * export const providers = [FortyTwo]
 * ```
 */
const FortyTwo: OAuth2Provider<FortyTwoProfile> = defineOAuth({
  id: '42-school',
  name: '42 School',
  style: { brandColor: '#000000', mark },
  scope: 'public',
  authorization: { url: 'https://api.intra.42.fr/oauth/authorize' },
  token: { url: 'https://api.intra.42.fr/oauth/token' },
  userinfo: { url: 'https://api.intra.42.fr/v2/me' },
  profile: {
    id: 'id',
    name: ['usual_full_name', 'displayname', 'login'],
    email: 'email',
    image: 'image.link',
  },
})

export default FortyTwo
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
