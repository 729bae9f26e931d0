import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail, splitSender } from '../lib/providers/send-email.ts'

/**
 * Signs people in by a link, sent through SendGrid.
 *
 * @example
 * ```ts
 * import SendGrid from '@siteauth/core/providers/sendgrid'
 *
 * export const mail = SendGrid({ from: 'no-reply@example.com' }) // the key comes from AUTH_SENDGRID_KEY
 * ```
 */
const SendGrid: (config?: EmailUserConfig) => EmailConfig = defineEmail(
  { id: 'sendgrid', name: 'SendGrid' },
  ({ apiKey, from, to, subject, html, text }) => ({
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      personalizations: [{ to: [{ email: to }] }],
      from: splitSender(from),
      subject,
      content: [
        { type: 'text/plain', value: text },
        { type: 'text/html', value: html },
      ],
    },
  }),
)

export default SendGrid
export type { EmailConfig } from '../lib/providers/email.ts'
