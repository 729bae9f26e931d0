import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail, splitSender } from '../lib/providers/send-email.ts'

/** The options of Mailgun beyond those of every email provider. */
export interface MailgunOptions extends EmailUserConfig {
  /** Where the account is. Defaults to `US`. */
  region?: 'US' | 'EU'
  /** The sending domain. Defaults to that of `from`. */
  domain?: string
}

const hosts = { US: 'https://api.mailgun.net', EU: 'https://api.eu.mailgun.net' } as const

/**
 * Signs people in by a link, sent through Mailgun.
 *
 * @example
 * ```ts
 * import Mailgun from '@siteauth/core/providers/mailgun'
 *
 * export const mail = Mailgun({ from: 'no-reply@example.com', region: 'EU' })
 * ```
 */
const Mailgun: (config?: MailgunOptions) => EmailConfig = defineEmail(
  { id: 'mailgun', name: 'Mailgun' },
  ({ apiKey, provider, from, to, subject, html, text }) => {
    const { region, domain } = provider as MailgunOptions // as this provider was called
    const body = new FormData()
    for (const [name, value] of Object.entries({ from, to, subject, html, text })) {
      body.append(name, value)
    }
    const sendingDomain = domain ?? splitSender(from).email.split('@').at(-1) ?? ''
    return {
      url: `${hosts[region ?? 'US']}/v3/${encodeURIComponent(sendingDomain)}/messages`,
      headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` },
      body,
    }
  },
)

export default Mailgun
export type { EmailConfig } from '../lib/providers/email.ts'
