import { logoPath } from '../lib/branding/logos/dropbox.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Dropbox. */
export interface DropboxProfile {
  account_id: string
  name: { display_name: string }
  email: string
  email_verified: boolean
  profile_photo_url?: string
  [claim: string]: unknown
}

/**
 * Sign in with Dropbox.
 *
 * @example
 * ```ts
 * import Dropbox from '@siteauth/core/providers/dropbox'
 *
 * // AUTH_DROPBOX_ID, AUTH_DROPBOX_SECRET
 * export const providers = [Dropbox]
 * ```
 */
const Dropbox: OAuth2Provider<DropboxProfile> = defineOAuth({
  id: 'dropbox',
  name: 'Dropbox',
  scope: 'account_info.read',
  authorization: {
    url: 'https://www.dropbox.com/oauth2/authorize',
    params: { token_access_type: 'offline' },
  },
  token: { url: 'https://api.dropboxapi.com/oauth2/token' },
  userinfo: {
    url: 'https://api.dropboxapi.com/2/users/get_current_account',
    quirks: { method: 'POST' },
  },
  // https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account
  emailVerified: 'email_verified',
  profile: {
    id: 'account_id',
    name: 'name.display_name',
    email: 'email',
    image: 'profile_photo_url',
  },
  style: { brandColor: '#0061fe', logoPath },
})

export default Dropbox
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
