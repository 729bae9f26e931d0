import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Paybin. */
export interface PaybinProfile extends StandardClaims {}

/**
 * Sign in with Paybin.
 *
 * @example
 * ```ts
 * import Paybin from '@siteauth/core/providers/paybin'
 *
 * // AUTH_PAYBIN_ID, AUTH_PAYBIN_SECRET
 * export const providers = [Paybin]
 * ```
 */
const Paybin: OIDCProvider<PaybinProfile> = defineOIDC({
  id: 'paybin',
  name: 'Paybin',
  issuer: 'https://idp.paybin.io',
  scope: 'openid email profile',
  clientAuth: 'post',
})

export default Paybin
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
