import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from '../lib/providers/email.ts'
import { senderOf } from '../lib/providers/send-email.ts'

/** The options Nodemailer requires beyond those of every email provider. */
export interface NodemailerOptions extends EmailUserConfig {
  /** A connection string such as `smtp://user:password@host:587`, or transport options. */
  server?: unknown
}

/**
 * Signs people in with a link sent over SMTP. Needs the `nodemailer` package.
 *
 * @example
 * ```ts
 * import Nodemailer from '@siteauth/core/providers/nodemailer'
 *
 * export const mail = Nodemailer({
 *   server: 'smtp://user:password@smtp.example.com:587',
 *   from: 'Example <no-reply@example.com>',
 * })
 * ```
 */
export default function Nodemailer(config: NodemailerOptions = {}): EmailConfig {
  return {
    id: 'nodemailer',
    name: 'Nodemailer',
    type: 'email',
    maxAge: 86_400,
    sendVerificationRequest: sendBySmtp,
    options: config,
  }
}

async function sendBySmtp(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { provider, identifier, message } = params
  if (!provider.server) {
    throw new TypeError(`"${provider.id}" has no server: set that option to a connection string.`)
  }
  const { createTransport } = await loadNodemailer()
  const { rejected = [], pending = [] } = await createTransport(provider.server).sendMail({
    subject: message.subject,
    text: message.text,
    html: message.html,
    from: senderOf(params),
    // As an object, so that no parser gets to find a second address in it.
    to: { name: '', address: identifier },
  })
  if (rejected.length > 0 || pending.length > 0) {
    throw new Error('The mail server did not accept the message for that address.')
  }
}

interface MailModule {
  createTransport(server: unknown): {
    sendMail(message: object): Promise<{
      rejected?: readonly unknown[]
      pending?: readonly unknown[]
    }>
  }
}

async function loadNodemailer(): Promise<MailModule> {
  try {
    const module: unknown = await import('nodemailer')
    const { default: inner = module } = module as { default?: unknown }
    return inner as MailModule // what its documentation promises
  } catch (error) {
    throw new Error('Signing in by email over SMTP needs the nodemailer package: install it.', {
      cause: error,
    })
  }
}

export type { EmailConfig } from '../lib/providers/email.ts'

/** The same, under its Auth.js name. */
export type NodemailerUserConfig = NodemailerOptions

/** The provider that {@link Nodemailer} returns. */
export type NodemailerConfig = EmailConfig
