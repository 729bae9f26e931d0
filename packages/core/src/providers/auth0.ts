import { logoPath } from '../lib/branding/logos/auth0.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Auth0. */
export interface Auth0Profile extends StandardClaims {}

/**
 * Sign in with Auth0.
 *
 * @example
 * ```ts
 * import Auth0 from '@siteauth/core/providers/auth0'
 *
 * // AUTH_AUTH0_ID, AUTH_AUTH0_SECRET, AUTH_AUTH0_ISSUER
 * export const providers = [Auth0]
 * ```
 */
const Auth0: OIDCProvider<Auth0Profile> = defineOIDC({
  id: 'auth0',
  name: 'Auth0',
  style: { bg: '#EB5424', text: '#fff', logoPath },
})

export default Auth0
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
