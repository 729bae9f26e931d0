import { logoPath } from '../lib/branding/logos/authentik.ts'
import {
  defineOIDC,
  issuerBelow,
  type OIDCProvider,
  type StandardClaims,
} from '../lib/providers/define.ts'

/** The profile of a person at Authentik. */
export interface AuthentikProfile extends StandardClaims {
  groups?: string[]
}

/**
 * Sign in with Authentik.
 *
 * @example
 * ```ts
 * import Authentik from '@siteauth/core/providers/authentik'
 *
 * // AUTH_AUTHENTIK_ID, AUTH_AUTHENTIK_SECRET, AUTH_AUTHENTIK_ISSUER
 * export const providers = [Authentik]
 * ```
 */
const Authentik: OIDCProvider<AuthentikProfile> = defineOIDC(({ issuer }) => ({
  id: 'authentik',
  name: 'Authentik',
  style: { brandColor: '#fd4b2d', logoPath },
  // authentik's own name for itself ends in a slash, which people leave out.
  issuer: issuerBelow(issuer, '/'),
  consumes: ['issuer'],
}))

export default Authentik
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
