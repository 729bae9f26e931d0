import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { type ProductionOption, rejectProduction } from '../reject-production.ts'
import { readMail } from './caught-mail.ts'
import { createMailBox, type MailBox } from './mail-box.ts'

/** The options of {@link startMailServer}. */
export interface MailServerOptions extends ProductionOption {
  /** Defaults to one that is free. */
  port?: number | undefined
}

/** A server that catches mail from any process. */
export interface MailServer extends MailBox {
  /** What to send to, such as `smtp://127.0.0.1:2525`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a mail server, on this machine only, that keeps whatever it is sent and passes nothing on. For an
 * application in another process. Needs the packages `smtp-server` and `postal-mime`.
 *
 * @example
 * ```ts
 * import { startMailServer } from '@siteauth/testing/mail'
 *
 * const mail = await startMailServer({ port: 2525 }) // the application has EMAIL_SERVER=smtp://127.0.0.1:2525
 * const { link } = await mail.waitFor('ada@example.com')
 * await mail.close()
 * ```
 */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  rejectProduction('startMailServer', options)
  const { SMTPServer, parse } = await loadPackages()
  const { box, add } = createMailBox()

  async function store(stream: Readable, recipients: readonly string[]): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const { from, subject = '', text = '', html = '' } = await parse(Buffer.concat(chunks))
    for (const to of recipients) {
      add(readMail({ to, from: from?.address ?? null, subject, text, html }))
    }
  }

  const server = new SMTPServer({
    // Whoever sends is believed, with a password or without.
    authOptional: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address)
      store(stream, recipients).then(() => done(), done)
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo // it listens on one
  return Object.assign(box, {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}

/** Loaded when they are needed: most tests catch mail where it is sent. */
async function loadPackages() {
  try {
    const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([
      import('smtp-server'),
      import('postal-mime'),
    ])
    return { SMTPServer, parse: PostalMime.parse }
  } catch (cause) {
    const message =
      'startMailServer needs two packages: npm install --save-dev smtp-server postal-mime'
    throw new Error(message, { cause })
  }
}
