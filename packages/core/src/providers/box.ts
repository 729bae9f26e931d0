import { logoPath } from '../lib/branding/logos/box.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Box. */
export interface BoxProfile {
  id: string
  name: string
  /** The address. */
  login: string
  avatar_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Box.
 *
 * @example
 * ```ts
 * import Box from '@siteauth/core/providers/box'
 *
 * // AUTH_BOX_ID, AUTH_BOX_SECRET
 * export const providers = [Box]
 * ```
 */
const Box: OAuth2Provider<BoxProfile> = defineOAuth({
  id: 'box',
  name: 'Box',
  authorization: { url: 'https://account.box.com/api/oauth2/authorize' },
  token: { url: 'https://api.box.com/oauth2/token' },
  // https://developer.box.com/guides/authentication/tokens/revoke
  revocation: 'https://api.box.com/oauth2/revoke',
  userinfo: { url: 'https://api.box.com/2.0/users/me' },
  clientAuth: 'post',
  profile: { id: 'id', name: 'name', email: 'login', image: 'avatar_url' },
  style: { bg: '#0075C9', text: '#fff', logoPath },
})

export default Box
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
