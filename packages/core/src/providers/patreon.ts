import { logoPath } from '../lib/branding/logos/patreon.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Patreon. */
export interface PatreonProfile {
  data: {
    id: string
    attributes: {
      full_name?: string
      email?: string
      is_email_verified?: boolean
      image_url?: string
    }
  }
  [claim: string]: unknown
}

/**
 * Sign in with Patreon.
 *
 * @example
 * ```ts
 * import Patreon from '@siteauth/core/providers/patreon'
 *
 * // AUTH_PATREON_ID, AUTH_PATREON_SECRET
 * export const providers = [Patreon]
 * ```
 */
const Patreon: OAuth2Provider<PatreonProfile> = defineOAuth({
  id: 'patreon',
  name: 'Patreon',
  scope: 'identity identity[email]',
  authorization: { url: 'https://www.patreon.com/oauth2/authorize' },
  token: { url: 'https://www.patreon.com/api/oauth2/token' },
  userinfo: {
    url: 'https://www.patreon.com/api/oauth2/v2/identity',
    params: { 'fields[user]': 'email,full_name,image_url,is_email_verified' },
  },
  clientAuth: 'post',
  // https://docs.patreon.com/#user-v2
  emailVerified: 'data.attributes.is_email_verified',
  profile: {
    id: 'data.id',
    name: 'data.attributes.full_name',
    email: 'data.attributes.email',
    image: 'data.attributes.image_url',
  },
  style: { bg: '#e85b46', text: '#fff', logoPath },
})

export default Patreon
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
