import {
  defineOIDC,
  issuerBelow,
  type OIDCProvider,
  type StandardClaims,
} from '../lib/providers/define.ts'

/** The profile of a person at Asgardeo. */
export interface AsgardeoProfile extends StandardClaims {}

/**
 * Sign in with Asgardeo.
 *
 * @example
 * ```ts
 * import Asgardeo from '@siteauth/core/providers/asgardeo'
 *
 * // AUTH_ASGARDEO_ID, AUTH_ASGARDEO_SECRET, AUTH_ASGARDEO_ISSUER
 * export const providers = [Asgardeo]
 * ```
 */
const Asgardeo: OIDCProvider<AsgardeoProfile> = defineOIDC(({ issuer }) => ({
  id: 'asgardeo',
  name: 'Asgardeo',
  // People give the address of their organisation; its issuer is below.
  issuer: issuerBelow(issuer, '/oauth2/token'),
  consumes: ['issuer'],
  style: { bg: '#000', text: '#fff' },
}))

export default Asgardeo
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
