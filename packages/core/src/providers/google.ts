import { logoPath } from '../lib/branding/logos/google.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Google. */
export interface GoogleProfile extends StandardClaims {
  /** The Google Workspace domain. */
  hd?: string
}

/**
 * Sign in with Google.
 *
 * @example
 * ```ts
 * import Google from '@siteauth/core/providers/google'
 *
 * // AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET
 * export const providers = [Google]
 * ```
 */
const Google: OIDCProvider<GoogleProfile> = defineOIDC({
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  style: { brandColor: '#1a73e8', logoPath },
})

export default Google
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
