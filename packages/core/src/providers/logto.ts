import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Logto. */
export interface LogtoProfile extends StandardClaims {
  username?: string | null
}

/**
 * Sign in with Logto.
 *
 * @example
 * ```ts
 * import Logto from '@siteauth/core/providers/logto'
 *
 * // AUTH_LOGTO_ID, AUTH_LOGTO_SECRET, AUTH_LOGTO_ISSUER
 * export const providers = [Logto]
 * ```
 */
const Logto: OIDCProvider<LogtoProfile> = defineOIDC({
  id: 'logto',
  name: 'Logto',
  scope: 'offline_access openid email profile',
  profile: { id: 'sub', name: ['name', 'username'], email: 'email', image: 'picture' },
})

export default Logto
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
