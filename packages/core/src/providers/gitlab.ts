import { logoPath } from '../lib/branding/logos/gitlab.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import type { OAuthUserConfig } from '../lib/providers/oauth.ts'

/** The profile of a person at GitLab. */
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

/** The options of the GitLab provider beyond the usual. */
export interface GitLabOptions {
  /** The address of a self-managed GitLab. */
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
const GitLab: OAuth2Provider<GitLabProfile, GitLabOptions> = defineOAuth(config => ({
  id: 'gitlab',
  name: 'GitLab',
  defaults: { baseUrl: SITE },
  consumes: ['baseUrl'],
  scope: 'read_user',
  authorization: { url: '{baseUrl}/oauth/authorize' },
  token: { url: '{baseUrl}/oauth/token' },
  userinfo: { url: '{baseUrl}/api/v4/user' },
  // https://docs.gitlab.com/api/users/#get-the-current-user
  // A self-hosted GitLab may count addresses as confirmed without confirmation:
  // https://docs.gitlab.com/administration/settings/sign_up_restrictions/
  emailVerified: isAtGitLabCom(config) ? ({ confirmed_at }) => Boolean(confirmed_at) : false,
  profile: { id: ['sub', 'id'], name: ['name', 'username'], email: 'email', image: 'avatar_url' },
  style: { bg: '#FC6D26', text: '#fff', logoPath },
}))
export default GitLab

const SITE = 'https://gitlab.com'

/** Where profiles come from, which an application may also have written out. */
function isAtGitLabCom({
  baseUrl = SITE,
  userinfo,
}: OAuthUserConfig<GitLabProfile> & GitLabOptions): boolean {
  const own = typeof userinfo === 'object' && !(userinfo instanceof URL) ? userinfo.url : userinfo
  const url = String(own ?? baseUrl)
  return URL.canParse(url) && new URL(url).origin === SITE
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
