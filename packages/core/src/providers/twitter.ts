import { OAuthCallbackError } from '../lib/base/errors.ts'
import { logoPath } from '../lib/branding/logos/twitter.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import type { UserinfoRequestContext } from '../lib/providers/oauth.ts'
import { requestUserinfo } from '../lib/providers/provider-requests.ts'

/** The profile of a person at Twitter. */
export interface TwitterProfile {
  data: {
    id: string
    name: string
    username: string
    /** Verified. Absent where the application may not ask for it. */
    confirmed_email?: string
    profile_image_url?: string
  }
  [claim: string]: unknown
}

/**
 * Sign in with X, formerly Twitter.
 *
 * @example
 * ```ts
 * import Twitter from '@siteauth/core/providers/twitter'
 *
 * // AUTH_TWITTER_ID, AUTH_TWITTER_SECRET
 * export const providers = [Twitter]
 * ```
 */
const Twitter: OAuth2Provider<TwitterProfile> = defineOAuth({
  id: 'twitter',
  name: 'X',
  scope: 'users.read tweet.read offline.access users.email',
  authorization: { url: 'https://x.com/i/oauth2/authorize' },
  token: { url: 'https://api.x.com/2/oauth2/token' },
  revocation: 'https://api.x.com/2/oauth2/revoke',
  userinfo: {
    url: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
    request: withEmail,
  },
  clientAuth: 'basic',
  profile: {
    id: 'data.id',
    name: 'data.name',
    email: ['data.confirmed_email', 'data.email'],
    image: 'data.profile_image_url',
  },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Twitter

/** Asked for apart, because X answers with an error where an application may not see addresses. */
async function withEmail(context: UserinfoRequestContext<TwitterProfile>): Promise<TwitterProfile> {
  const profile = await requestUserinfo(context, {})
  if (!context.tokens.scope?.split(' ').includes('users.email')) return profile
  try {
    const query = { 'user.fields': 'confirmed_email' }
    const { data } = await requestUserinfo(context, { query })
    return { ...profile, data: { ...data, ...profile.data } }
  } catch (error) {
    if (error instanceof OAuthCallbackError) return profile
    throw error
  }
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
