import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The public profile of an osu! user. */
export interface OsuUserCompact {
  id: number
  username: string
  avatar_url: string
  [claim: string]: unknown
}

/** The profile of an osu! user who signs in. */
export interface OsuProfile extends OsuUserCompact {}

/**
 * Sign in with osu!.
 *
 * @example
 * ```ts
 * import Osu from '@siteauth/core/providers/osu'
 *
 * // AUTH_OSU_ID, AUTH_OSU_SECRET
 * export const providers = [Osu]
 * ```
 */
const Osu: OAuth2Provider<OsuProfile> = defineOAuth({
  id: 'osu',
  name: 'osu!',
  scope: 'identify',
  authorization: { url: 'https://osu.ppy.sh/oauth/authorize' },
  token: { url: 'https://osu.ppy.sh/oauth/token' },
  userinfo: { url: 'https://osu.ppy.sh/api/v2/me' },
  profile: { id: 'id', name: 'username', email: null, image: 'avatar_url' },
})

export default Osu
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
