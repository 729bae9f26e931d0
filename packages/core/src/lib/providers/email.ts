import type { Awaitable, CommonProviderOptions } from '../base/model.ts'
import type { Theme } from '../look/theme.ts'
import type { EmailMessage } from './email-message.ts'
import type { customFetch } from './oauth.ts'

/** What a provider's `sendVerificationRequest` receives. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address to send to. */
  identifier: string
  /** The link that signs in. It holds the token: whoever has it is signed in. */
  url: string
  expires: Date
  provider: EmailConfig
  token: string
  theme: Theme
  request: Request
  /** A message with the link, in the visitor's language and the application's theme. */
  message: EmailMessage
}

/** Signs people in by a link that is sent to their address. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** The sender's address. */
  from?: string
  /** How long a link can be used, in seconds. */
  maxAge?: number
  /** Sends the link. */
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>
  /** Hashes tokens instead of the configured secret. */
  secret?: string
  /** For providers that send over HTTP. */
  apiKey?: string
  /** For providers that send over SMTP: a connection string, or the transport's options. */
  server?: unknown
  /** Makes the token; 32 random bytes in hexadecimal otherwise. */
  generateVerificationToken?(): Awaitable<string>
  /**
   * False signs in as soon as the link is opened in the browser that asked for it. In any other, and
   * by default in all, the link leads to a page that signs in by a form: programs that look at mail
   * open links, too, and would use them up.
   */
  confirm?: boolean
  /** Turns what a visitor typed into one address; throws where it is none. */
  normalizeIdentifier?(identifier: string): string
  options?: EmailUserConfig
  [customFetch]?: typeof fetch
}

/** What an application writes for an email provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>

/** The id of the built-in email provider. */
export type EmailProviderId = 'email'

/** The type of an email provider. */
export type EmailProviderType = 'email'
