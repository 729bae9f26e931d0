import {
  defineOIDC,
  issuerBelow,
  type OIDCProvider,
  type StandardClaims,
} from '../lib/providers/define.ts'

/** The profile of a person at OneLogin. */
export interface OneLoginProfile extends StandardClaims {}

/**
 * Sign in with OneLogin.
 *
 * @example
 * ```ts
 * import OneLogin from '@siteauth/core/providers/onelogin'
 *
 * // AUTH_ONELOGIN_ID, AUTH_ONELOGIN_SECRET, AUTH_ONELOGIN_ISSUER
 * export const providers = [OneLogin]
 * ```
 */
const OneLogin: OIDCProvider<OneLoginProfile> = defineOIDC(({ issuer }) => ({
  id: 'onelogin',
  name: 'OneLogin',
  // People give the address of their company; its issuer is below.
  issuer: issuerBelow(issuer, '/oidc/2'),
  consumes: ['issuer'],
}))

export default OneLogin
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
