import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at ZITADEL. */
export interface ZitadelProfile extends StandardClaims {}

/**
 * Sign in with ZITADEL.
 *
 * @example
 * ```ts
 * import ZITADEL from '@siteauth/core/providers/zitadel'
 *
 * // AUTH_ZITADEL_ID, AUTH_ZITADEL_SECRET, AUTH_ZITADEL_ISSUER
 * export const providers = [ZITADEL]
 * ```
 */
const ZITADEL: OIDCProvider<ZitadelProfile> = defineOIDC({
  id: 'zitadel',
  name: 'ZITADEL',
})

export default ZITADEL
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
