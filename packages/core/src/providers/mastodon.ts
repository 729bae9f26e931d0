import { logoPath } from '../lib/branding/logos/mastodon.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Mastodon. */
export interface MastodonProfile {
  id: string
  username: string
  display_name?: string
  avatar?: string
  avatar_static?: string
  [claim: string]: unknown
}

/**
 * Sign in with Mastodon.
 *
 * @example
 * ```ts
 * import Mastodon from '@siteauth/core/providers/mastodon'
 *
 * // AUTH_MASTODON_ID, AUTH_MASTODON_SECRET, AUTH_MASTODON_ISSUER
 * export const providers = [Mastodon]
 * ```
 */
const Mastodon: OAuth2Provider<MastodonProfile> = defineOAuth({
  id: 'mastodon',
  name: 'Mastodon',
  style: { brandColor: '#6364ff', logoPath },
  consumes: ['issuer'],
  scope: 'read',
  authorization: { url: '{issuer}/oauth/authorize' },
  token: { url: '{issuer}/oauth/token' },
  // https://docs.joinmastodon.org/methods/oauth/
  revocation: '{issuer}/oauth/revoke',
  userinfo: { url: '{issuer}/api/v1/accounts/verify_credentials' },
  profile: {
    id: 'id',
    name: ['username', 'display_name'],
    email: null,
    image: ['avatar_static', 'avatar'],
  },
})

export default Mastodon
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
