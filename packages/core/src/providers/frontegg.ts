import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Frontegg. */
export interface FrontEggProfile extends StandardClaims {
  profilePictureUrl?: string
}

/**
 * Sign in with Frontegg.
 *
 * @example
 * ```ts
 * import Frontegg from '@siteauth/core/providers/frontegg'
 *
 * // AUTH_FRONTEGG_ID, AUTH_FRONTEGG_SECRET, AUTH_FRONTEGG_ISSUER
 * export const providers = [Frontegg]
 * ```
 */
const Frontegg: OIDCProvider<FrontEggProfile> = defineOIDC({
  id: 'frontegg',
  name: 'Frontegg',
  wellKnown: '{issuer}/oauth/.well-known/openid-configuration',
  authorization: { url: '{issuer}/oauth/authorize' },
  token: { url: '{issuer}/oauth/token' },
  userinfo: { url: '{issuer}/identity/resources/users/v2/me' },
  profile: { id: 'sub', name: 'name', email: 'email', image: ['profilePictureUrl', 'picture'] },
})

export default Frontegg
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'

/** The same under the name that applications of Auth.js know. */
export type FronteggProfile = FrontEggProfile
