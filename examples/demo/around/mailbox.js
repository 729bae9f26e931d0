import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/**
 * A mail server that delivers nothing and shows everything.
 *
 * @param {(message: object) => void} onMessage
 */
export async function startMailbox(onMessage) {
  const messages = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      read(stream)
        .then(message => {
          messages.unshift(message)
          onMessage(message)
          done()
        })
        .catch(done)
    },
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address()
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

async function read(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  const { from, to, subject, html } = await PostalMime.parse(Buffer.concat(chunks))
  return {
    from: from?.name || from?.address,
    to: to?.map(({ address }) => address).join(', '),
    subject,
    html,
    at: new Date(),
  }
}
