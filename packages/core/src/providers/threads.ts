import { logoPath } from '../lib/branding/logos/threads.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Threads. */
export interface ThreadsProfile {
  id: string
  username?: string
  name?: string
  threads_profile_picture_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Threads.
 *
 * @example
 * ```ts
 * import Threads from '@siteauth/core/providers/threads'
 *
 * // AUTH_THREADS_ID, AUTH_THREADS_SECRET
 * export const providers = [Threads]
 * ```
 */
const Threads: OAuth2Provider<ThreadsProfile> = defineOAuth({
  id: 'threads',
  name: 'Threads',
  scope: 'threads_basic',
  scopeSeparator: ',',
  authorization: { url: 'https://threads.com/oauth/authorize' },
  token: { url: 'https://graph.threads.com/oauth/access_token' },
  userinfo: {
    url: 'https://graph.threads.com/v1.0/me',
    params: { fields: 'id,username,name,threads_profile_picture_url' },
  },
  clientAuth: 'post',
  // PKCE is not documented.
  checks: ['state'],
  profile: {
    id: 'id',
    name: ['name', 'username'],
    email: null,
    image: 'threads_profile_picture_url',
  },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Threads
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
