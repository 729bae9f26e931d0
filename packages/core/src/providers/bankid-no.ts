import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at BankID Norge. */
export interface BankIDNorwayProfile extends StandardClaims {}

/**
 * Sign in with Norwegian BankID.
 *
 * @example
 * ```ts
 * import BankIDNorway from '@siteauth/core/providers/bankid-no'
 *
 * // AUTH_BANKID_NO_ID, AUTH_BANKID_NO_SECRET
 * export const providers = [BankIDNorway]
 * ```
 */
const BankIDNorway: OIDCProvider<BankIDNorwayProfile> = defineOIDC({
  id: 'bankid-no',
  name: 'BankID Norge',
  issuer: 'https://auth.bankid.no/auth/realms/prod',
  authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
  clientAuth: 'post',
  client: { userinfo_signed_response_alg: 'RS256' },
  idToken: false,
  profile: { id: 'sub', name: 'name', email: 'email', image: null },
  style: { bg: '#39134c', text: '#fff' },
})

export default BankIDNorway
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
