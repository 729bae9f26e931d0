import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMailBox, type MailBox } from '../mail/mail-box.ts'
import type { PostedMail } from './integration-config.ts'

/** A server that applications post their mail to: any of them can, on any platform. */
export interface MailDrop {
  readonly url: string
  readonly box: MailBox
  close(): Promise<void>
}

/** Opens a mail drop, on this machine only. */
export async function openMailDrop(): Promise<MailDrop> {
  const { box, add } = createMailBox()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { to, url, code } = JSON.parse(Buffer.concat(chunks).toString()) as PostedMail // from ours
    const link = url === undefined ? null : new URL(url)
    add({ to, from: null, subject: '', text: '', html: '', link, code: code ?? null })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on one
  return {
    url: `http://127.0.0.1:${port}/`,
    box,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
