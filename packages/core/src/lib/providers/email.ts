import type { Awaitable } from '../base/awaitable.ts'
import type { CommonProviderOptions } from '../base/provider-type.ts'
import type { Theme } from '../branding/theme.ts'
import type { EmailMessage } from './messages/email-message.ts'
import type { customFetch } from './oauth.ts'

/** The arguments of a provider's `sendVerificationRequest`. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address to send to. */
  identifier: string
  /** The link that signs in. It contains the token: anyone who has it can sign in. */
  url: string
  expires: Date
  provider: EmailConfig
  token: string
  theme: Theme
  request: Request
  /** The code, such as `WDJB-MJHT`, for providers that send one: see {@link EmailConfig.code}. */
  code?: string
  /** A message with the link, and the code if there is one, in the visitor's language and the application's theme. */
  message: EmailMessage
}

/** Signs people in with a link sent to their address. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** The sender's address. */
  from?: string
  /** How long a link works, in seconds. */
  maxAge?: number
  /** Sends the link. */
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>
  /** Hashes tokens, instead of the configured secret. */
  secret?: string
  /** For providers that send over HTTP. */
  apiKey?: string
  /** For providers that send over SMTP: a connection string, or the transport's options. */
  server?: unknown
  /**
   * Creates the token, which needs 64 bits at least. Defaults to 32 random bytes in hexadecimal. For a code that people type
   * in, set `code` instead.
   */
  generateVerificationToken?(): Awaitable<string>
  /**
   * False signs in as soon as the link is opened in the browser that asked for it. In any other,
   * and by default in all, the link leads to a page with a sign-in form: mail scanners open links,
   * too, and would consume them.
   */
  confirm?: boolean
  /**
   * True sends a code beside the link, for people who read their mail on another device. It has eight letters, works
   * for ten minutes in the browser that requested it, and can be guessed at five times. Using the code uses up the
   * link as well.
   */
  code?: boolean
  /**
   * The behaviour of a link in another browser than the one that requested it. `confirm`: it signs in there, after a
   * click. `show-code`: it only shows the code, to be entered in the browser that requested it. Defaults to
   * `confirm`.
   */
  elsewhere?: 'confirm' | 'show-code'
  /** Turns what a visitor typed into one address; throws if it is not an address. */
  normalizeIdentifier?(identifier: string): string
  options?: EmailUserConfig
  [customFetch]?: typeof fetch
}

/** The options of an email provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>

/** The id of the built-in email provider. */
export type EmailProviderId = 'email'

/** The type of an email provider. */
export type EmailProviderType = 'email'
