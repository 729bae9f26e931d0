import { logoPath } from '../lib/branding/logos/github.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import type { UserinfoRequestContext } from '../lib/providers/oauth.ts'
import { requestUserinfo, userinfoUrl } from '../lib/providers/provider-requests.ts'

/** The profile of a person at GitHub. */
export interface GitHubProfile {
  id: number
  login: string
  name: string | null
  /** The public address, or else the primary one, if it is verified. */
  email: string | null
  /** Whether the list of addresses has this one as verified. */
  email_verified?: boolean
  avatar_url: string
  [claim: string]: unknown
}

/** One of the addresses of a GitHub account. */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
}

/** The options of the GitHub provider beyond the usual. */
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
    // https://docs.github.com/en/rest/users/emails
    emailVerified: 'email_verified',
    profile: { id: 'id', name: ['name', 'login'], email: 'email', image: 'avatar_url' },
    style: { bg: '#24292f', text: '#fff', logoPath },
  }
})

export default GitHub

/** An address that is not public is found among all of them, which an application may be denied. */
/** A profile has the public address, if any, and does not say whether it is verified. */
async function withEmail(context: UserinfoRequestContext<GitHubProfile>): Promise<GitHubProfile> {
  const profile = await requestUserinfo(context, {})
  const verified = (await listEmails(context)).filter(each => each.verified === true)
  const chosen = verified.find(({ primary }) => primary) ?? verified[0]
  const email = profile.email || (chosen?.email ?? null)
  return { ...profile, email, email_verified: verified.some(each => each.email === email) }
}

/** Empty if the application may not read them. */
async function listEmails({
  provider,
  tokens,
  fetch,
}: UserinfoRequestContext<GitHubProfile>): Promise<readonly GitHubEmail[]> {
  const response = await fetch(`${userinfoUrl(provider).href}/emails`, {
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${tokens.access_token}`,
      'user-agent': 'siteauth',
    },
  })
  const body: unknown = response.ok ? await response.json() : undefined
  return Array.isArray(body) ? body : []
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
