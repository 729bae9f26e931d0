import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail } from '../lib/providers/send-email.ts'

/**
 * Signs people in by a link, sent through Postmark.
 *
 * @example
 * ```ts
 * import Postmark from '@siteauth/core/providers/postmark'
 *
 * export const mail = Postmark({ from: 'no-reply@example.com' }) // the key comes from AUTH_POSTMARK_KEY
 * ```
 */
const Postmark: (config?: EmailUserConfig) => EmailConfig = defineEmail(
  { id: 'postmark', name: 'Postmark' },
  ({ apiKey, from, to, subject, html, text }) => ({
    url: 'https://api.postmarkapp.com/email',
    headers: { accept: 'application/json', 'x-postmark-server-token': apiKey },
    body: {
      From: from,
      To: to,
      Subject: subject,
      TextBody: text,
      HtmlBody: html,
      MessageStream: 'outbound',
    },
  }),
)

export default Postmark
export type { EmailConfig } from '../lib/providers/email.ts'
