import { logoPath } from '../lib/branding/logos/kakao.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** A time in UTC, as RFC 3339 writes it. */
export type DateTime = string

/** Women and men are all that Kakao knows. */
export type Gender = 'female' | 'male'

/** Month and day in four digits. */
export type Birthday = string

/** How old a person is, such as `20~29`; the last one is `90~`. */
export type AgeRange = string

/** The profile of a person at Kakao. */
export interface KakaoProfile {
  id: number
  connected_at?: DateTime
  synched_at?: DateTime
  kakao_account?: {
    name?: string
    email?: string
    is_email_valid?: boolean
    is_email_verified?: boolean
    age_range?: AgeRange
    birthday?: Birthday
    gender?: Gender
    profile?: { nickname?: string; profile_image_url?: string; thumbnail_image_url?: string }
  }
  [claim: string]: unknown
}

/**
 * Sign in with Kakao.
 *
 * @example
 * ```ts
 * import Kakao from '@siteauth/core/providers/kakao'
 *
 * // AUTH_KAKAO_ID, AUTH_KAKAO_SECRET
 * export const providers = [Kakao]
 * ```
 */
const Kakao: OAuth2Provider<KakaoProfile> = defineOAuth({
  id: 'kakao',
  name: 'Kakao',
  style: { brandColor: '#ffcd00', logoPath },
  authorization: { url: 'https://kauth.kakao.com/oauth/authorize' },
  token: { url: 'https://kauth.kakao.com/oauth/token' },
  userinfo: { url: 'https://kapi.kakao.com/v2/user/me' },
  clientAuth: 'post',
  // https://developers.kakao.com/sdk/reference/flutter/release/kakao_flutter_sdk_user/Account/isEmailValid.html
  emailVerified: ({ kakao_account }) =>
    kakao_account?.is_email_valid === true && kakao_account.is_email_verified,
  profile: {
    id: 'id',
    name: ['kakao_account.profile.nickname', 'kakao_account.name'],
    email: 'kakao_account.email',
    image: ['kakao_account.profile.profile_image_url', 'kakao_account.profile.thumbnail_image_url'],
  },
})

export default Kakao
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
