import { logoPath } from '../lib/branding/logos/click-up.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at ClickUp. */
export interface ClickUpProfile {
  user: {
    id: number
    username: string
    email?: string
    profilePicture?: string | null
    color?: string
  }
  [claim: string]: unknown
}

/**
 * Sign in with ClickUp.
 *
 * @example
 * ```ts
 * import ClickUp from '@siteauth/core/providers/click-up'
 *
 * // AUTH_CLICK_UP_ID, AUTH_CLICK_UP_SECRET
 * export const providers = [ClickUp]
 * ```
 */
const ClickUp: OAuth2Provider<ClickUpProfile> = defineOAuth({
  id: 'click-up',
  name: 'ClickUp',
  authorization: { url: 'https://app.clickup.com/api' },
  token: { url: 'https://api.clickup.com/api/v2/oauth/token' },
  userinfo: { url: 'https://api.clickup.com/api/v2/user' },
  clientAuth: 'post',
  // PKCE is not documented.
  checks: ['state'],
  profile: {
    id: 'user.id',
    name: 'user.username',
    email: 'user.email',
    image: 'user.profilePicture',
  },
  style: { bg: '#24292f', text: '#fff', logoPath },
})

export default ClickUp
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
