import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Kinde. */
export interface KindeProfile extends StandardClaims {}

/**
 * Sign in with Kinde.
 *
 * @example
 * ```ts
 * import Kinde from '@siteauth/core/providers/kinde'
 *
 * // AUTH_KINDE_ID, AUTH_KINDE_SECRET, AUTH_KINDE_ISSUER
 * export const providers = [Kinde]
 * ```
 */
const Kinde: OIDCProvider<KindeProfile> = defineOIDC({
  id: 'kinde',
  name: 'Kinde',
  profile: {
    id: 'sub',
    name: ['name', { join: ['given_name', 'family_name'] }],
    email: 'email',
    image: 'picture',
  },
  style: { bg: '#fff', text: '#0F0F0F' },
})

export default Kinde
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
