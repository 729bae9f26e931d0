import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at EVE Online. */
export interface EVEOnlineProfile {
  CharacterID: number
  CharacterName: string
  [claim: string]: unknown
}

/**
 * Sign in with an EVE Online character.
 *
 * @example
 * ```ts
 * import EVEOnline from '@siteauth/core/providers/eveonline'
 *
 * // AUTH_EVEONLINE_ID, AUTH_EVEONLINE_SECRET
 * export const providers = [EVEOnline]
 * ```
 */
const EVEOnline: OAuth2Provider<EVEOnlineProfile> = defineOAuth({
  id: 'eveonline',
  name: 'EVE Online',
  issuer: 'https://login.eveonline.com',
  scope: 'publicData',
  authorization: { url: 'https://login.eveonline.com/v2/oauth/authorize' },
  token: { url: 'https://login.eveonline.com/v2/oauth/token' },
  userinfo: { url: 'https://login.eveonline.com/v2/oauth/verify' },
  profile: {
    id: 'CharacterID',
    name: 'CharacterName',
    email: null,
    image: { template: 'https://images.evetech.net/characters/{CharacterID}/portrait?size=128' },
  },
})

export default EVEOnline
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
