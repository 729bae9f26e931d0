import { logoPath } from '../lib/branding/logos/foursquare.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Foursquare. */
export interface FourSquareProfile {
  response: {
    user: {
      id: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      photo?: { prefix: string; suffix: string }
    }
  }
  [claim: string]: unknown
}

/** The options of the Foursquare provider beyond the usual. */
export interface FoursquareOptions {
  /** The version of the API: a date such as `20230131`. */
  apiVersion?: string
}

/**
 * Sign in with Foursquare.
 *
 * @example
 * ```ts
 * import Foursquare from '@siteauth/core/providers/foursquare'
 *
 * // AUTH_FOURSQUARE_ID, AUTH_FOURSQUARE_SECRET
 * export const providers = [Foursquare]
 * ```
 */
const Foursquare: OAuth2Provider<FourSquareProfile, FoursquareOptions> = defineOAuth({
  id: 'foursquare',
  name: 'Foursquare',
  defaults: { apiVersion: '20230131' },
  consumes: ['apiVersion'],
  authorization: { url: 'https://foursquare.com/oauth2/authenticate' },
  token: { url: 'https://foursquare.com/oauth2/access_token' },
  userinfo: {
    url: 'https://api.foursquare.com/v2/users/self',
    quirks: { query: { v: '{apiVersion}', oauth_token: '{token.access_token}' }, scheme: null },
  },
  profile: {
    id: 'response.user.id',
    name: { join: ['response.user.firstName', 'response.user.lastName'] },
    email: 'response.user.contact.email',
    image: { template: '{response.user.photo.prefix}original{response.user.photo.suffix}' },
  },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Foursquare
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
