import { mark } from '../lib/marks/gitlab.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** What GitLab says about a person. */
export interface GitLabProfile {
  id: number
  sub?: string
  username: string
  name?: string
  email?: string
  /** Set where the address is verified. */
  confirmed_at?: string | null
  avatar_url?: string | null
  [claim: string]: unknown
}

/** What the GitLab provider takes beyond the usual. */
export interface GitLabOptions {
  /** The address of a GitLab of your own. */
  baseUrl?: string
}

/**
 * Sign in with GitLab.
 *
 * @example
 * ```ts
 * import GitLab from '@siteauth/core/providers/gitlab'
 *
 * // AUTH_GITLAB_ID, AUTH_GITLAB_SECRET
 * export const providers = [GitLab]
 * ```
 */
const GitLab: OAuth2Provider<GitLabProfile, GitLabOptions> = defineOAuth({
  id: 'gitlab',
  name: 'GitLab',
  defaults: { baseUrl: 'https://gitlab.com' },
  consumes: ['baseUrl'],
  scope: 'read_user',
  authorization: { url: '{baseUrl}/oauth/authorize' },
  token: { url: '{baseUrl}/oauth/token' },
  userinfo: { url: '{baseUrl}/api/v4/user' },
  profile: { id: ['sub', 'id'], name: ['name', 'username'], email: 'email', image: 'avatar_url' },
  style: { bg: '#FC6D26', text: '#fff', mark },
})

export default GitLab
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
