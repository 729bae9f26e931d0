import { logoPath } from '../lib/branding/logos/spotify.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** A picture, with its size in pixels if known. */
export interface SpotifyImage {
  url: string
  height?: number | null
  width?: number | null
}

/** The profile of a person at Spotify. */
export interface SpotifyProfile {
  id: string
  /** Newer, and never changes. */
  account_id?: string
  display_name?: string | null
  /** Not verified. */
  email?: string
  images?: SpotifyImage[]
  [claim: string]: unknown
}

/**
 * Sign in with Spotify.
 *
 * @example
 * ```ts
 * import Spotify from '@siteauth/core/providers/spotify'
 *
 * // AUTH_SPOTIFY_ID, AUTH_SPOTIFY_SECRET
 * export const providers = [Spotify]
 * ```
 */
const Spotify: OAuth2Provider<SpotifyProfile> = defineOAuth({
  id: 'spotify',
  name: 'Spotify',
  scope: 'user-read-email',
  authorization: { url: 'https://accounts.spotify.com/authorize' },
  token: { url: 'https://accounts.spotify.com/api/token' },
  userinfo: { url: 'https://api.spotify.com/v1/me' },
  // Anyone can enter any address, as Spotify documents:
  // https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
  emailVerified: false,
  profile: { id: 'id', name: 'display_name', email: 'email', image: 'images[0].url' },
  style: { brandColor: '#1db954', logoPath },
})

export default Spotify
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
