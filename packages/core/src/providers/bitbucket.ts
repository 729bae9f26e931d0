import { logoPath } from '../lib/branding/logos/bitbucket.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Bitbucket. */
export interface BitbucketProfile {
  account_id: string
  display_name?: string
  username?: string
  links?: { avatar?: { href?: string } }
  [claim: string]: unknown
}

/**
 * Sign in with Bitbucket.
 *
 * @example
 * ```ts
 * import Bitbucket from '@siteauth/core/providers/bitbucket'
 *
 * // AUTH_BITBUCKET_ID, AUTH_BITBUCKET_SECRET
 * export const providers = [Bitbucket]
 * ```
 */
const Bitbucket: OAuth2Provider<BitbucketProfile> = defineOAuth({
  id: 'bitbucket',
  name: 'Bitbucket',
  scope: 'account',
  authorization: { url: 'https://bitbucket.org/site/oauth2/authorize' },
  token: { url: 'https://bitbucket.org/site/oauth2/access_token' },
  userinfo: { url: 'https://api.bitbucket.org/2.0/user' },
  profile: {
    id: 'account_id',
    name: ['display_name', 'username'],
    email: null,
    image: 'links.avatar.href',
  },
  style: { bg: '#205081', text: '#fff', logoPath },
})

export default Bitbucket
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
