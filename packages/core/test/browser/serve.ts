import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** What a server does: a request in, a response out. */
export type Answer = (request: Request) => Promise<Response>

/** A server on loopback. */
export interface Served {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Serves over HTTP on loopback. What it serves is made when the address is known.
 *
 * @param name under which the server calls itself: browsers take two names for two sites
 */
export async function serve(
  prepare: (origin: string) => Answer | Promise<Answer>,
  name: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    prepared
      .then(({ origin, answer }) => exchange(incoming, outgoing, origin, answer))
      .catch((error: unknown) => giveUp(outgoing, error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close(error => (error ? reject(error) : resolve()))
      server.closeAllConnections()
    })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen')
  const origin = `http://${name}:${address.port}`
  const prepared = Promise.resolve(prepare(origin)).then(answer => ({ origin, answer }))
  try {
    await prepared
  } catch (error) {
    await close()
    throw error
  }
  return { origin, close }
}

async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  answer: Answer,
): Promise<void> {
  const response = await answer(toRequest(incoming, origin))
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (!response.body) return void outgoing.end()
  // Sound: there is one kind of web stream, which two libraries declare.
  await pipeline(
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
    outgoing,
  )
}

function toRequest(incoming: IncomingMessage, origin: string): Request {
  const { method = 'GET', url = '/' } = incoming
  const headers = toHeaders(incoming.headers)
  if (method === 'GET' || method === 'HEAD') return new Request(origin + url, { method, headers })
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array> // the same kind, as above
  const streamed = { method, headers, body, duplex: 'half' }
  return new Request(origin + url, streamed)
}

function toHeaders(fields: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(fields)) {
    for (const each of [value].flat()) headers.append(name, each)
  }
  return headers
}

/** Browsers hang up where a visitor goes elsewhere. Anything else is a fault of the server. */
function giveUp(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.destroyed) return
  if (!outgoing.headersSent) outgoing.statusCode = 500
  outgoing.end(String(error))
}
