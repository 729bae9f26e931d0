import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Pipedrive. */
export interface PipedriveProfile {
  data: { id: number; name: string; email: string; icon_url?: string | null }
  [claim: string]: unknown
}

/**
 * Sign in with Pipedrive.
 *
 * @example
 * ```ts
 * import Pipedrive from '@siteauth/core/providers/pipedrive'
 *
 * // AUTH_PIPEDRIVE_ID, AUTH_PIPEDRIVE_SECRET
 * export const providers = [Pipedrive]
 * ```
 */
const Pipedrive: OAuth2Provider<PipedriveProfile> = defineOAuth({
  id: 'pipedrive',
  name: 'Pipedrive',
  authorization: { url: 'https://oauth.pipedrive.com/oauth/authorize' },
  token: { url: 'https://oauth.pipedrive.com/oauth/token' },
  userinfo: { url: 'https://api.pipedrive.com/users/me' },
  profile: { id: 'data.id', name: 'data.name', email: 'data.email', image: 'data.icon_url' },
})

export default Pipedrive
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
