import { logoPath } from '../lib/branding/logos/line.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at LINE. */
export interface LineProfile extends StandardClaims {}

/**
 * Sign in with LINE.
 *
 * @example
 * ```ts
 * import LINE from '@siteauth/core/providers/line'
 *
 * // AUTH_LINE_ID, AUTH_LINE_SECRET
 * export const providers = [LINE]
 * ```
 */
const LINE: OIDCProvider<LineProfile> = defineOIDC({
  id: 'line',
  name: 'LINE',
  issuer: 'https://access.line.me',
  // Tokens of web logins are signed with the channel secret, although the metadata differs.
  client: { id_token_signed_response_alg: 'HS256' },
  // The tokens do not say whether an address was proven:
  // https://developers.line.biz/en/docs/line-login/verify-id-token/#payload
  emailVerified: false,
  style: { bg: '#00C300', text: '#fff', logoPath },
})

export default LINE
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
