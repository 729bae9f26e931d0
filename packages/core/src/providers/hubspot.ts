import { logoPath } from '../lib/branding/logos/hubspot.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at HubSpot. */
export interface HubSpotProfile {
  user_id: number
  /** The address. */
  user: string
  hub_id?: number
  [claim: string]: unknown
}

/**
 * Sign in with HubSpot.
 *
 * @example
 * ```ts
 * import HubSpot from '@siteauth/core/providers/hubspot'
 *
 * // AUTH_HUBSPOT_ID, AUTH_HUBSPOT_SECRET
 * export const providers = [HubSpot]
 * ```
 */
const HubSpot: OAuth2Provider<HubSpotProfile> = defineOAuth({
  id: 'hubspot',
  name: 'HubSpot',
  scope: 'oauth',
  authorization: { url: 'https://app.hubspot.com/oauth/authorize' },
  token: { url: 'https://api.hubapi.com/oauth/2026-03/token' },
  userinfo: {
    url: 'https://api.hubapi.com/oauth/2026-03/token/introspect',
    quirks: {
      form: {
        client_id: '{clientId}',
        client_secret: '{clientSecret}',
        token: '{token.access_token}',
        token_type_hint: 'access_token',
      },
      scheme: null,
    },
  },
  clientAuth: 'post',
  profile: { id: 'user_id', name: 'user', email: 'user', image: null },
  style: { bg: '#ff7a59', text: '#fff', logoPath },
})

export default HubSpot
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
