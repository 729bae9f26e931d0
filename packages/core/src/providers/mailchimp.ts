import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Mailchimp. */
export interface MailchimpProfile {
  accountname: string
  login: { login_id: number; email: string }
  [claim: string]: unknown
}

/**
 * Sign in with Mailchimp.
 *
 * @example
 * ```ts
 * import Mailchimp from '@siteauth/core/providers/mailchimp'
 *
 * // AUTH_MAILCHIMP_ID, AUTH_MAILCHIMP_SECRET
 * export const providers = [Mailchimp]
 * ```
 */
const Mailchimp: OAuth2Provider<MailchimpProfile> = defineOAuth({
  id: 'mailchimp',
  name: 'Mailchimp',
  authorization: { url: 'https://login.mailchimp.com/oauth2/authorize' },
  token: { url: 'https://login.mailchimp.com/oauth2/token' },
  userinfo: { url: 'https://login.mailchimp.com/oauth2/metadata', quirks: { scheme: 'OAuth' } },
  clientAuth: 'post',
  profile: { id: 'login.login_id', name: 'accountname', email: 'login.email', image: null },
  style: { bg: '#000', text: '#fff' },
})

export default Mailchimp
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
