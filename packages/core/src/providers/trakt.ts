import { logoPath } from '../lib/branding/logos/trakt.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Trakt. */
export interface TraktProfile {
  ids: { slug: string; uuid?: string }
  username?: string
  name?: string
  images?: { avatar?: { full?: string } }
  [claim: string]: unknown
}

/** The same, by its former name. */
export type TraktUser = TraktProfile

/**
 * Sign in with Trakt.
 *
 * @example
 * ```ts
 * import Trakt from '@siteauth/core/providers/trakt'
 *
 * // AUTH_TRAKT_ID, AUTH_TRAKT_SECRET
 * export const providers = [Trakt]
 * ```
 */
const Trakt: OAuth2Provider<TraktProfile> = defineOAuth({
  id: 'trakt',
  name: 'Trakt',
  authorization: { url: 'https://trakt.tv/oauth/authorize' },
  token: { url: 'https://api.trakt.tv/oauth/token' },
  userinfo: {
    url: 'https://api.trakt.tv/users/me',
    params: { extended: 'full' },
    quirks: { headers: { 'trakt-api-version': '2', 'trakt-api-key': '{clientId}' } },
  },
  profile: {
    // Accounts are known by this name already, although people can change it.
    id: 'ids.slug',
    name: 'name',
    email: null,
    image: 'images.avatar.full',
  },
  style: { bg: '#ED2224', text: '#fff', logoPath },
})

export default Trakt
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
