import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { writeForm } from './write-form.ts'

/** A request, and what a parser before us may have made of its body. */
export type ReceivedRequest = IncomingMessage & { readonly body?: unknown }

/** A body, and what it is. */
export interface ReadBody {
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

/** Which parser of the framework reads what is not read here. */
export interface ParserHint {
  readonly parser: string
}

/** The engine takes 256 kB and refuses more: what comes after one byte more need not be read. */
const READ_LIMIT = 256 * 1024 + 1

/**
 * The body of a request, whether a parser has read it before or not. Undefined if there is none. Rejects if the
 * visitor hung up.
 */
export async function readBody(
  req: ReceivedRequest,
  { parser }: ParserHint,
): Promise<ReadBody | undefined> {
  const { body, headers } = req
  const type = headers['content-type'] ?? ''
  if (typeof body === 'string') return { type, content: body }
  if (body instanceof Uint8Array) return { type, content: new Uint8Array(body) }
  // Parsers leave an empty object behind where they did not parse.
  if (typeof body === 'object' && body !== null && Object.keys(body).length > 0) {
    return isForm(type)
      ? { type: 'application/x-www-form-urlencoded', content: writeForm(body) }
      : { type: 'application/json', content: JSON.stringify(body) }
  }
  if (!mayHaveBody(req, headers) || req.readableDidRead || req.readableEnded) return undefined
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding !== 'identity') throw new UnsupportedEncoding(encoding, parser)
  return { type, content: await drain(req) }
}

function isForm(type: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
}

/** For the error handler of the application, which takes the status from it. */
class UnsupportedEncoding extends Error {
  readonly status = 415
  readonly expose = true

  constructor(encoding: string, parser: string) {
    super(
      `The body is compressed (${encoding}), which the endpoints do not read. Send it uncompressed, or mount ` +
        `a parser before them, such as ${parser}.`,
    )
  }
}

/** Up to HTTP/1.1 a body is announced by one of two headers. */
function mayHaveBody(req: IncomingMessage, headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  const isAnnounced = encoding !== undefined || (length !== undefined && length !== '0')
  return isAnnounced || req.httpVersionMajor > 1
}

function drain(req: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const encoding = req.readableEncoding ?? undefined
    let length = 0
    const take = (chunk: Uint8Array | string) => {
      // A text where someone before us has set an encoding.
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
      chunks.push(bytes)
      length += bytes.length
      if (length >= READ_LIMIT) finish()
    }
    const fail = (error?: Error) => {
      release()
      reject(error ?? new Error('The visitor hung up.'))
    }
    const finish = () => {
      release()
      resolve(new Uint8Array(Buffer.concat(chunks)))
    }
    const release = () => {
      req.off('data', take).off('end', finish).off('error', fail).off('close', fail)
      // The rest is read and discarded, so that the connection can carry the next request.
      req.resume()
    }
    req.on('data', take).on('end', finish).on('error', fail).on('close', fail)
    if (req.destroyed) fail()
  })
}
