import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at BoxyHQ SAML. */
export interface BoxyHQSAMLProfile {
  id: string
  email: string
  firstName?: string
  lastName?: string
  [claim: string]: unknown
}

/**
 * Sign in with SAML, through BoxyHQ.
 *
 * @example
 * ```ts
 * import BoxyHQSAML from '@siteauth/core/providers/boxyhq-saml'
 *
 * // AUTH_BOXYHQ_SAML_ID, AUTH_BOXYHQ_SAML_SECRET, AUTH_BOXYHQ_SAML_ISSUER
 * export const providers = [BoxyHQSAML]
 * ```
 */
const BoxyHQSAML: OAuth2Provider<BoxyHQSAMLProfile> = defineOAuth({
  id: 'boxyhq-saml',
  name: 'BoxyHQ SAML',
  consumes: ['issuer'],
  authorization: { url: '{issuer}/api/oauth/authorize', params: { provider: 'saml' } },
  token: { url: '{issuer}/api/oauth/token' },
  userinfo: { url: '{issuer}/api/oauth/userinfo' },
  profile: { id: 'id', name: { join: ['firstName', 'lastName'] }, email: 'email', image: null },
  style: { brandColor: '#25c2a0' },
})

export default BoxyHQSAML
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
