import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail } from '../lib/providers/send-email.ts'

/**
 * Signs people in by a link, sent through Forward Email.
 *
 * @example
 * ```ts
 * import ForwardEmail from '@siteauth/core/providers/forwardemail'
 *
 * export const mail = ForwardEmail({ from: 'no-reply@example.com' }) // the key comes from AUTH_FORWARDEMAIL_KEY
 * ```
 */
const ForwardEmail: (config?: EmailUserConfig) => EmailConfig = defineEmail(
  { id: 'forwardemail', name: 'Forward Email' },
  ({ apiKey, from, to, subject, html, text }) => ({
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${apiKey}:`)}` },
    body: { from, to, subject, html, text },
  }),
)

export default ForwardEmail
export type { EmailConfig } from '../lib/providers/email.ts'
