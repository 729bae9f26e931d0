import { mark } from '../lib/marks/github.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import type { UserinfoRequestContext } from '../lib/providers/oauth.ts'
import { requestUserinfo, userinfoUrl } from '../lib/providers/userinfo-request.ts'

/** What GitHub says about a person. */
export interface GitHubProfile {
  id: number
  login: string
  name: string | null
  /** The public address, or else the primary one, if it is verified. */
  email: string | null
  avatar_url: string
  [claim: string]: unknown
}

/** One of the addresses of a GitHub account. */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
}

/** What the GitHub provider takes beyond the usual. */
export interface GitHubOptions {
  /** For GitHub Enterprise Server. */
  enterprise?: { baseUrl?: string }
}

/**
 * Sign in with GitHub.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 *
 * // AUTH_GITHUB_ID, AUTH_GITHUB_SECRET
 * export const providers = [GitHub]
 * ```
 */
const GitHub: OAuth2Provider<GitHubProfile, GitHubOptions> = defineOAuth(({ enterprise }) => {
  const own = enterprise?.baseUrl?.replace(/\/+$/, '')
  const site = own ?? 'https://github.com'
  return {
    id: 'github',
    name: 'GitHub',
    consumes: ['enterprise'],
    // It came with callbacks for some days in 2026, and will again.
    issuer: `${site}/login/oauth`,
    scope: 'read:user user:email',
    authorization: { url: `${site}/login/oauth/authorize` },
    token: { url: `${site}/login/oauth/access_token` },
    userinfo: {
      url: `${own ? `${own}/api/v3` : 'https://api.github.com'}/user`,
      request: withEmail,
    },
    profile: { id: 'id', name: ['name', 'login'], email: 'email', image: 'avatar_url' },
    style: { bg: '#24292f', text: '#fff', mark },
  }
})

export default GitHub

/** An address that is not public is found among all of them, which an application may be denied. */
async function withEmail(context: UserinfoRequestContext<GitHubProfile>): Promise<GitHubProfile> {
  const profile = await requestUserinfo(context, {})
  if (profile.email) return profile
  const url = `${userinfoUrl(context.provider).href}/emails`
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${context.tokens.access_token}`,
    'user-agent': 'siteauth',
  }
  const response = await context.fetch(url, { headers })
  const answer: unknown = response.ok ? await response.json() : undefined
  if (!Array.isArray(answer)) return profile
  const emails: GitHubEmail[] = answer
  const verified = emails.filter(each => each.verified)
  const { email = null } = verified.find(({ primary }) => primary) ?? verified[0] ?? {}
  return { ...profile, email }
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
