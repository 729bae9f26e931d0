import { logoPath } from '../lib/branding/logos/twitch.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Twitch. */
export interface TwitchProfile extends StandardClaims {}

/**
 * Sign in with Twitch.
 *
 * @example
 * ```ts
 * import Twitch from '@siteauth/core/providers/twitch'
 *
 * // AUTH_TWITCH_ID, AUTH_TWITCH_SECRET
 * export const providers = [Twitch]
 * ```
 */
const Twitch: OIDCProvider<TwitchProfile> = defineOIDC({
  id: 'twitch',
  name: 'Twitch',
  issuer: 'https://id.twitch.tv/oauth2',
  scope: 'openid user:read:email',
  authorization: {
    params: {
      // Without it, tokens say who it is and nothing else.
      claims: {
        id_token: { email: null, email_verified: null, picture: null, preferred_username: null },
      },
    },
  },
  clientAuth: 'post',
  // PKCE is not documented.
  checks: ['state', 'nonce'],
  style: { bg: '#65459B', text: '#fff', logoPath },
})

export default Twitch
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
