import { logoPath } from '../lib/branding/logos/linear.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Linear. */
export interface LinearProfile {
  data: {
    viewer: { id: string; name: string; email: string; avatarUrl?: string | null }
  }
  [claim: string]: unknown
}

/**
 * Sign in with Linear.
 *
 * @example
 * ```ts
 * import Linear from '@siteauth/core/providers/linear'
 *
 * // AUTH_LINEAR_ID, AUTH_LINEAR_SECRET
 * export const providers = [Linear]
 * ```
 */
const Linear: OAuth2Provider<LinearProfile> = defineOAuth({
  id: 'linear',
  name: 'Linear',
  style: { brandColor: '#5e6ad2', logoPath },
  scope: 'read',
  scopeSeparator: ',',
  authorization: { url: 'https://linear.app/oauth/authorize' },
  token: { url: 'https://api.linear.app/oauth/token' },
  userinfo: {
    url: 'https://api.linear.app/graphql',
    quirks: { json: { query: '{ viewer { id name email avatarUrl } }' } },
  },
  clientAuth: 'post',
  // PKCE is not known to be supported for clients with a secret.
  checks: ['state'],
  profile: {
    id: 'data.viewer.id',
    name: 'data.viewer.name',
    email: 'data.viewer.email',
    image: 'data.viewer.avatarUrl',
  },
})

export default Linear
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
