import type { ServerRequest } from './express.ts'

/** A body, and what it is. */
export interface ReadBody {
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

/** The engine takes 256 kB and refuses more: what comes after one byte more need not be read. */
const ENOUGH = 256 * 1024 + 1

/**
 * The body of a request, whether a parser was there before or not. Undefined where there is none.
 * Rejects where the visitor hung up.
 */
export async function readBody(req: ServerRequest): Promise<ReadBody | undefined> {
  const { body } = req
  const type = req.headers['content-type'] ?? ''
  if (typeof body === 'string') return { type, content: body }
  if (body instanceof Uint8Array) return { type, content: new Uint8Array(body) }
  // Parsers leave an empty object behind where they did not parse.
  if (typeof body === 'object' && body !== null && Object.keys(body).length > 0) {
    return { type: 'application/json', content: JSON.stringify(body) }
  }
  return req.readableDidRead || req.readableEnded ? undefined : { type, content: await drain(req) }
}

async function drain(req: ServerRequest): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Not destroyed: that would close the connection before the answer is sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= ENOUGH) break
  }
  return new Uint8Array(Buffer.concat(chunks))
}
