import { logoPath } from '../lib/branding/logos/simplelogin.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at SimpleLogin. */
export interface SimpleLoginProfile extends StandardClaims {
  avatar_url?: string | null
}

/**
 * Sign in with SimpleLogin.
 *
 * @example
 * ```ts
 * import SimpleLogin from '@siteauth/core/providers/simplelogin'
 *
 * // AUTH_SIMPLELOGIN_ID, AUTH_SIMPLELOGIN_SECRET
 * export const providers = [SimpleLogin]
 * ```
 */
const SimpleLogin: OIDCProvider<SimpleLoginProfile> = defineOIDC({
  id: 'simplelogin',
  name: 'SimpleLogin',
  issuer: 'https://app.simplelogin.io',
  profile: { id: 'sub', name: 'name', email: 'email', image: ['avatar_url', 'picture'] },
  style: { brandColor: '#e3156a', logoPath },
})

export default SimpleLogin
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
