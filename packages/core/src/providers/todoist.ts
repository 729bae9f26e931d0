import { logoPath } from '../lib/branding/logos/todoist.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Todoist. */
export interface TodoistProfile {
  id: string
  full_name: string
  email: string
  avatar_big?: string | null
  [claim: string]: unknown
}

/**
 * Sign in with Todoist.
 *
 * @example
 * ```ts
 * import Todoist from '@siteauth/core/providers/todoist'
 *
 * // AUTH_TODOIST_ID, AUTH_TODOIST_SECRET
 * export const providers = [Todoist]
 * ```
 */
const Todoist: OAuth2Provider<TodoistProfile> = defineOAuth({
  id: 'todoist',
  name: 'Todoist',
  scope: 'data:read',
  scopeSeparator: ',',
  authorization: { url: 'https://todoist.com/oauth/authorize' },
  token: { url: 'https://todoist.com/oauth/access_token' },
  userinfo: { url: 'https://api.todoist.com/api/v1/user' },
  clientAuth: 'post',
  profile: { id: 'id', name: 'full_name', email: 'email', image: 'avatar_big' },
  style: { bg: '#E44332', text: '#000', logoPath },
})

export default Todoist
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
