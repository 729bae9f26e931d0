import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at WorkOS. */
export interface WorkOSProfile {
  id: string
  first_name?: string | null
  last_name?: string | null
  email: string
  raw_attributes?: { picture?: string }
  [claim: string]: unknown
}

/** The options of the WorkOS provider beyond the usual. */
export interface WorkOSOptions {
  /** The connection people sign in through, unless you choose it per sign-in. */
  connection?: string
}

/**
 * Sign in with WorkOS.
 *
 * @example
 * ```ts
 * import WorkOS from '@siteauth/core/providers/workos'
 *
 * // AUTH_WORKOS_ID, AUTH_WORKOS_SECRET
 * export const providers = [WorkOS]
 * ```
 */
const WorkOS: OAuth2Provider<WorkOSProfile, WorkOSOptions> = defineOAuth({
  id: 'workos',
  name: 'WorkOS',
  defaults: { issuer: 'https://api.workos.com/' },
  consumes: ['issuer', 'connection'],
  authorization: { url: '{issuer}/sso/authorize', params: { connection: '{connection}' } },
  token: { url: '{issuer}/sso/token' },
  userinfo: { url: '{issuer}/sso/profile' },
  clientAuth: 'post',
  profile: {
    id: 'id',
    name: { join: ['first_name', 'last_name'] },
    email: 'email',
    image: 'raw_attributes.picture',
  },
  style: { bg: '#6363f1', text: '#fff' },
})

export default WorkOS
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
