import { logoPath } from '../lib/branding/logos/vercel.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Vercel. */
export interface VercelProfile extends StandardClaims {}

/**
 * Sign in with Vercel.
 *
 * @example
 * ```ts
 * import Vercel from '@siteauth/core/providers/vercel'
 *
 * // AUTH_VERCEL_ID, AUTH_VERCEL_SECRET
 * export const providers = [Vercel]
 * ```
 */
const Vercel: OIDCProvider<VercelProfile> = defineOIDC({
  id: 'vercel',
  name: 'Vercel',
  style: { brandColor: '#000000', logoPath },
  issuer: 'https://vercel.com',
  scope: 'openid email profile',
  clientAuth: 'post',
  client: { id_token_signed_response_alg: 'RS256' },
  idToken: false,
})

export default Vercel
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
