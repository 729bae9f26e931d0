import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Eventbrite. */
export interface EventbriteProfile {
  id: string
  name: string
  emails?: { email: string; primary: boolean; verified: boolean }[]
  image_id?: string | null
  [claim: string]: unknown
}

/**
 * Sign in with Eventbrite.
 *
 * @example
 * ```ts
 * import Eventbrite from '@siteauth/core/providers/eventbrite'
 *
 * // AUTH_EVENTBRITE_ID, AUTH_EVENTBRITE_SECRET
 * export const providers = [Eventbrite]
 * ```
 */
const Eventbrite: OAuth2Provider<EventbriteProfile> = defineOAuth({
  id: 'eventbrite',
  name: 'Eventbrite',
  scope: 'user.profile',
  authorization: { url: 'https://www.eventbrite.com/oauth/authorize' },
  token: { url: 'https://www.eventbrite.com/oauth/token' },
  userinfo: { url: 'https://www.eventbriteapi.com/v3/users/me/' },
  clientAuth: 'post',
  // https://www.eventbrite.com/platform/api#/reference/user
  emailVerified: ({ emails }) => emails?.find(({ primary }) => primary)?.verified,
  profile: {
    id: 'id',
    name: 'name',
    email: ({ emails }) => emails?.find(({ primary }) => primary)?.email,
    image: ({ image_id }) => image_id && imageUrl(image_id),
  },
  style: { bg: '#f05537', text: '#fff' },
})

export default Eventbrite

function imageUrl(id: string): string {
  const original = `https://cdn.evbuc.com/images/${id}/1/original.jpg`
  return `https://img.evbuc.com/${encodeURIComponent(original)}`
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
