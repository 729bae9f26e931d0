import { logoPath } from '../lib/branding/logos/yandex.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Yandex. */
export interface YandexProfile {
  id: string
  login?: string
  display_name?: string
  real_name?: string
  first_name?: string
  default_email?: string
  emails?: string[]
  is_avatar_empty?: boolean
  default_avatar_id?: string
  [claim: string]: unknown
}

/**
 * Sign in with Yandex.
 *
 * @example
 * ```ts
 * import Yandex from '@siteauth/core/providers/yandex'
 *
 * // AUTH_YANDEX_ID, AUTH_YANDEX_SECRET
 * export const providers = [Yandex]
 * ```
 */
const Yandex: OAuth2Provider<YandexProfile> = defineOAuth({
  id: 'yandex',
  name: 'Yandex',
  scope: 'login:info login:email login:avatar',
  authorization: { url: 'https://oauth.yandex.ru/authorize' },
  token: { url: 'https://oauth.yandex.ru/token' },
  userinfo: {
    url: 'https://login.yandex.ru/info',
    params: { format: 'json' },
    quirks: { scheme: 'OAuth' },
  },
  profile: {
    id: 'id',
    name: ['display_name', 'real_name', 'first_name', 'login'],
    email: ['default_email', 'emails[0]'],
    image: ({ is_avatar_empty, default_avatar_id }) =>
      !is_avatar_empty && default_avatar_id
        ? `https://avatars.yandex.net/get-yapic/${default_avatar_id}/islands-200`
        : null,
  },
  style: { bg: '#ffcc00', text: '#000', logoPath },
})

export default Yandex
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
