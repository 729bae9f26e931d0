import { logoPath } from '../lib/branding/logos/wikimedia.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** A group of users, such as `sysop`. Wikis can have their own. */
export type WikimediaGroup = string

/** Something that a user may do, such as `edit`. Wikis can have their own. */
export type WikimediaRight = string

/** A permission of an application, such as `basic`. */
export type WikimediaGrant = string

/** The profile of a person at Wikimedia. */
export interface WikimediaProfile {
  sub: number | string
  username: string
  email?: string
  confirmed_email?: boolean
  groups?: WikimediaGroup[]
  rights?: WikimediaRight[]
  grants?: WikimediaGrant[]
  [claim: string]: unknown
}

/**
 * Sign in with a Wikimedia account.
 *
 * @example
 * ```ts
 * import Wikimedia from '@siteauth/core/providers/wikimedia'
 *
 * // AUTH_WIKIMEDIA_ID, AUTH_WIKIMEDIA_SECRET
 * export const providers = [Wikimedia]
 * ```
 */
const Wikimedia: OAuth2Provider<WikimediaProfile> = defineOAuth({
  id: 'wikimedia',
  name: 'Wikimedia',
  authorization: { url: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize' },
  token: { url: 'https://meta.wikimedia.org/w/rest.php/oauth2/access_token' },
  userinfo: { url: 'https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile' },
  // https://www.mediawiki.org/wiki/OAuth/For_Developers#Identifying_the_user
  emailVerified: 'confirmed_email',
  profile: { id: 'sub', name: 'username', email: 'email', image: null },
  style: { bg: '#000', text: '#fff', logoPath },
})

export default Wikimedia
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
