import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail } from '../lib/providers/send-email.ts'

/**
 * Signs people in by a link, sent through Resend.
 *
 * @example
 * ```ts
 * import Resend from '@siteauth/core/providers/resend'
 *
 * export const mail = Resend({ from: 'Example <no-reply@example.com>' }) // the key comes from AUTH_RESEND_KEY
 * ```
 */
const Resend: (config?: EmailUserConfig) => EmailConfig = defineEmail(
  { id: 'resend', name: 'Resend' },
  ({ apiKey, from, to, subject, html, text }) => ({
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { from, to, subject, html, text },
  }),
)

export default Resend
export type { EmailConfig } from '../lib/providers/email.ts'
