import type { EmailConfig } from '../lib/providers/email.ts'
import Nodemailer, { type NodemailerOptions } from './nodemailer.ts'

/**
 * The same as `nodemailer`, under the id `email`.
 *
 * @deprecated Use `@siteauth/core/providers/nodemailer`.
 * @example
 * ```ts
 * import Email from '@siteauth/core/providers/email'
 *
 * export const mail = Email({ server: 'smtp://localhost', from: 'no-reply@example.com' })
 * ```
 */
export default function Email(config: NodemailerOptions = {}): EmailConfig {
  return { ...Nodemailer(config), id: 'email', name: 'Email' }
}

export type {
  EmailConfig,
  EmailProviderId,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
} from '../lib/providers/email.ts'
export type { NodemailerOptions }
