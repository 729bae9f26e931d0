import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Bungie. */
export interface BungieProfile {
  Response: {
    bungieNetUser: { membershipId: string; displayName: string; profilePicturePath?: string }
  }
  [claim: string]: unknown
}

/** The options of the Bungie provider beyond the usual. */
export interface BungieOptions {
  /** The application's API key, which every request needs. */
  apiKey?: string
}

/**
 * Sign in with Bungie.
 *
 * @example
 * ```ts
 * import Bungie from '@siteauth/core/providers/bungie'
 *
 * // AUTH_BUNGIE_ID, AUTH_BUNGIE_SECRET, AUTH_BUNGIE_KEY
 * export const providers = [Bungie]
 * ```
 */
const Bungie: OAuth2Provider<BungieProfile, BungieOptions> = defineOAuth({
  id: 'bungie',
  name: 'Bungie',
  consumes: ['apiKey'],
  authorization: { url: 'https://www.bungie.net/en/OAuth/Authorize', params: { reauth: 'true' } },
  token: { url: 'https://www.bungie.net/platform/app/oauth/token/' },
  userinfo: {
    url: 'https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/',
    quirks: { headers: { 'x-api-key': '{apiKey}' } },
  },
  profile: {
    id: 'Response.bungieNetUser.membershipId',
    name: 'Response.bungieNetUser.displayName',
    email: null,
    image: ({ Response: { bungieNetUser } }) =>
      bungieNetUser.profilePicturePath &&
      new URL(bungieNetUser.profilePicturePath, 'https://www.bungie.net').href,
  },
})

export default Bungie
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
