import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Osso. */
export interface OssoProfile {
  id?: string
  sub?: string
  name?: string
  email?: string
  [claim: string]: unknown
}

/**
 * Sign in with Osso.
 *
 * @deprecated Osso no longer seems to be maintained.
 *
 * @example
 * ```ts
 * import Osso from '@siteauth/core/providers/osso'
 *
 * // AUTH_OSSO_ID, AUTH_OSSO_SECRET, AUTH_OSSO_ISSUER
 * export const providers = [Osso]
 * ```
 */
const Osso: OAuth2Provider<OssoProfile> = defineOAuth({
  id: 'osso',
  name: 'Osso',
  consumes: ['issuer'],
  authorization: { url: '{issuer}/oauth/authorize' },
  token: { url: '{issuer}/oauth/token' },
  userinfo: { url: '{issuer}/oauth/me' },
})

export default Osso
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
