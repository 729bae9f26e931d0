import type { MailContent } from './caught-mail.ts'

/** As much of an address as Nodemailer gives. */
type Address = string | { readonly address: string } | undefined

/** A message on its way, as Nodemailer hands it to a transport. */
interface OutgoingMail {
  readonly data: {
    readonly from?: unknown
    readonly subject?: unknown
    readonly text?: unknown
    readonly html?: unknown
  }
  readonly message: {
    getEnvelope(): { readonly to: readonly string[]; readonly from: string | false }
  }
}

/** What Nodemailer calls a transport: it is handed messages. */
export interface MailTransport {
  readonly name: string
  readonly version: string
  send(mail: OutgoingMail, done: (error: Error | null, info: SentInfo) => void): void
}

/** What a transport says of a message that it took. */
interface SentInfo {
  readonly envelope: object
  readonly messageId: string
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

/** A transport that hands each message over, once for each address, and sends nothing. */
export function createTransport(take: (content: MailContent) => void): MailTransport {
  return {
    name: 'siteauth-testing',
    version: '1',
    send({ data, message }, done) {
      const envelope = message.getEnvelope()
      for (const to of envelope.to) {
        take({
          to,
          from: addressIn(data.from as Address) ?? (envelope.from || null), // as its documentation has it
          subject: textOf(data.subject),
          text: textOf(data.text),
          html: textOf(data.html),
        })
      }
      const messageId = `<${crypto.randomUUID()}@siteauth.test>`
      done(null, { envelope, messageId, accepted: envelope.to, rejected: [] })
    },
  }
}

function addressIn(from: Address): string | undefined {
  return typeof from === 'object' ? from.address : from
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
