import { logoPath } from '../lib/branding/logos/dribbble.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Dribbble. */
export interface DribbbleProfile {
  id: number
  name: string
  email?: string | null
  avatar_url?: string
  [claim: string]: unknown
}

/** The options of the Dribbble provider beyond the usual. */
export interface DribbbleOptions {
  /** `public`, the default, or `public upload`. */
  scope?: string
}

/**
 * Sign in with Dribbble.
 *
 * @example
 * ```ts
 * import Dribbble from '@siteauth/core/providers/dribbble'
 *
 * // AUTH_DRIBBBLE_ID, AUTH_DRIBBBLE_SECRET
 * export const providers = [Dribbble]
 * ```
 */
const Dribbble: OAuth2Provider<DribbbleProfile, DribbbleOptions> = defineOAuth({
  id: 'dribbble',
  name: 'Dribbble',
  defaults: { scope: 'public' },
  consumes: ['scope'],
  scope: '{scope}',
  authorization: { url: 'https://dribbble.com/oauth/authorize' },
  token: { url: 'https://dribbble.com/oauth/token' },
  userinfo: { url: 'https://api.dribbble.com/v2/user' },
  clientAuth: 'post',
  profile: { id: 'id', name: 'name', email: 'email', image: 'avatar_url' },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Dribbble
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
