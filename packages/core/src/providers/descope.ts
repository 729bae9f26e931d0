import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Descope. */
export interface DescopeProfile extends StandardClaims {}

/**
 * Sign in with Descope.
 *
 * @example
 * ```ts
 * import Descope from '@siteauth/core/providers/descope'
 *
 * // AUTH_DESCOPE_ID, AUTH_DESCOPE_SECRET
 * export const providers = [Descope]
 * ```
 */
const Descope: OIDCProvider<DescopeProfile> = defineOIDC(({ issuer }) => ({
  id: 'descope',
  name: 'Descope',
  // The client id is the id of the project, and the project is the issuer.
  issuer: issuer ?? 'https://api.descope.com/{clientId}',
  consumes: ['issuer'],
  style: { bg: '#1C1C23', text: '#ffffff' },
}))

export default Descope
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
