import { providerVariable } from './complete-provider.ts'
import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from './email.ts'
import type { EmailMessage } from './messages/email-message.ts'
import { customFetch } from './oauth.ts'

/** The message, its recipient, and the credentials of the service. */
export interface Letter extends EmailMessage {
  readonly to: string
  readonly from: string
  readonly url: string
  /** Undefined for providers that send none. */
  readonly code: string | undefined
  readonly provider: EmailConfig
  readonly apiKey: string
}

/** A request to a service that sends mail. */
export interface SendRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is where it is a form. */
  readonly body: FormData | object
}

/** Makes an email provider that sends through a service with an HTTP interface. */
export function defineEmail<Options extends EmailUserConfig>(
  { id, name }: { readonly id: string; readonly name: string },
  write: (letter: Letter) => SendRequest,
): (config?: Options) => EmailConfig {
  return config => ({
    id,
    name,
    type: 'email',
    maxAge: 86_400,
    sendVerificationRequest: params => send(params, write),
    ...(config && { options: config }),
  })
}

/** The sender of a message: the configured one, or `no-reply` at the application's host. */
export function senderOf({ provider, url }: EmailProviderSendVerificationRequestParams): string {
  return provider.from ?? `no-reply@${new URL(url).hostname}`
}

/** `Name <address>` in its two parts. */
export function splitSender(from: string): { readonly name?: string; readonly email: string } {
  const [, name, email] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? []
  if (!email) return { email: from.trim() }
  return name ? { name: name.replace(/^"(.*)"$/, '$1'), email } : { email }
}

async function send(
  params: EmailProviderSendVerificationRequestParams,
  write: (letter: Letter) => SendRequest,
): Promise<void> {
  const { provider, identifier: to, url, code, message } = params
  const { apiKey } = provider
  if (!apiKey) {
    throw new TypeError(
      `"${provider.id}" has no apiKey: set ${providerVariable(provider.id, 'KEY')}.`,
    )
  }
  const from = senderOf(params)
  const request = write({ ...message, to, from, url, code, provider, apiKey })
  const isForm = request.body instanceof FormData
  const response = await (provider[customFetch] ?? fetch)(request.url, {
    method: 'POST',
    headers: { ...(!isForm && { 'content-type': 'application/json' }), ...request.headers },
    body: request.body instanceof FormData ? request.body : JSON.stringify(request.body),
    signal: AbortSignal.timeout(15_000),
  })
  if (!response.ok) {
    // The service's response is for the log. It may repeat the message, and so the link and the code.
    const text = (await response.text()).replaceAll(url, '[link]')
    const details = (code ? text.replaceAll(code, '[code]') : text).slice(0, 300)
    throw new Error(`${provider.id} answered ${response.status}: ${details}`)
  }
}
