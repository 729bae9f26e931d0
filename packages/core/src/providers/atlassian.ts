import { logoPath } from '../lib/branding/logos/atlassian.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Atlassian. */
export interface AtlassianProfile {
  account_id: string
  name: string
  email: string
  email_verified?: boolean
  picture: string
  [claim: string]: unknown
}

/**
 * Sign in with Atlassian.
 *
 * @example
 * ```ts
 * import Atlassian from '@siteauth/core/providers/atlassian'
 *
 * // AUTH_ATLASSIAN_ID, AUTH_ATLASSIAN_SECRET
 * export const providers = [Atlassian]
 * ```
 */
const Atlassian: OAuth2Provider<AtlassianProfile> = defineOAuth({
  id: 'atlassian',
  name: 'Atlassian',
  scope: 'read:me',
  authorization: {
    url: 'https://auth.atlassian.com/authorize',
    params: { audience: 'api.atlassian.com', prompt: 'consent' },
  },
  token: { url: 'https://auth.atlassian.com/oauth/token' },
  userinfo: { url: 'https://api.atlassian.com/me' },
  // PKCE is not documented for these applications.
  checks: ['state'],
  profile: { id: 'account_id', name: 'name', email: 'email', image: 'picture' },
  style: { bg: '#fff', text: '#0052cc', logoPath },
})

export default Atlassian
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
