import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Mail.ru. */
export interface MailRuProfile {
  id: string
  name?: string
  nickname?: string
  email?: string
  image?: string
  [claim: string]: unknown
}

/**
 * Sign in with Mail.ru.
 *
 * @example
 * ```ts
 * import MailRu from '@siteauth/core/providers/mailru'
 *
 * // AUTH_MAILRU_ID, AUTH_MAILRU_SECRET
 * export const providers = [MailRu]
 * ```
 */
const MailRu: OAuth2Provider<MailRuProfile> = defineOAuth({
  id: 'mailru',
  name: 'Mail.ru',
  scope: 'userinfo',
  authorization: { url: 'https://oauth.mail.ru/login' },
  token: { url: 'https://oauth.mail.ru/token' },
  userinfo: {
    url: 'https://oauth.mail.ru/userinfo',
    quirks: { query: { access_token: '{token.access_token}' }, scheme: null },
  },
  profile: {
    id: ['sub', 'id'],
    name: ['name', 'nickname'],
    email: 'email',
    image: ['image', 'picture'],
  },
})

export default MailRu
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
