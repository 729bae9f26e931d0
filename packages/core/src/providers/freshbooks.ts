import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Freshbooks. */
export interface FreshbooksProfile {
  response: { id: number; first_name?: string; last_name?: string; email?: string }
  [claim: string]: unknown
}

/**
 * Sign in with Freshbooks.
 *
 * @example
 * ```ts
 * import Freshbooks from '@siteauth/core/providers/freshbooks'
 *
 * // AUTH_FRESHBOOKS_ID, AUTH_FRESHBOOKS_SECRET
 * export const providers = [Freshbooks]
 * ```
 */
const Freshbooks: OAuth2Provider<FreshbooksProfile> = defineOAuth({
  id: 'freshbooks',
  name: 'Freshbooks',
  scope: 'user:profile:read',
  authorization: { url: 'https://auth.freshbooks.com/oauth/authorize' },
  token: { url: 'https://api.freshbooks.com/auth/oauth/token' },
  userinfo: { url: 'https://api.freshbooks.com/auth/api/v1/users/me' },
  clientAuth: 'post',
  profile: {
    id: 'response.id',
    name: { join: ['response.first_name', 'response.last_name'] },
    email: 'response.email',
    image: null,
  },
  style: { bg: '#0075dd', text: '#fff' },
})

export default Freshbooks
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
