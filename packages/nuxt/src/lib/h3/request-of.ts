import type { SentRequest } from '@siteauth/core/integration'
import { readBody, sentRequest } from '@siteauth/core/node'
import type { H3Event } from 'h3'

/**
 * The request as the engine takes it. h3 has no setting for proxies: `AUTH_URL` and `trustHost` decide.
 *
 * @param outermost that of the browser: a request of the server to itself has no connection that could be encrypted
 */
export function requestOf(event: H3Event, outermost: H3Event): SentRequest {
  const { req } = event.node
  const { originalUrl, url = '/' } = req as ArrivedRequest
  const { socket } = outermost.node.req as ArrivedRequest
  const isEncrypted = socket?.encrypted || outermost.web?.url?.protocol === 'https:'
  const protocol = isEncrypted ? 'https:' : 'http:'
  const host = outermost.web?.url?.host ?? req.headers.host
  // h3 cuts the path where a handler is mounted below another.
  const path = originalUrl ?? url
  const { method } = event
  const sent = sentRequest({ method, headers: req.headers, host, protocol, path })
  return { ...sent, headers: headersOf(event) }
}

/** h3 leaves out headers without a value, and a `Host` that has none is malformed. */
function headersOf({ headers, node }: H3Event): Headers {
  if (node.req.headers.host === '' && !headers.has('host')) headers.set('host', '')
  return headers
}

/** The same with its body, also if somebody has read that before. */
export async function requestWithBody(event: H3Event, outermost: H3Event): Promise<SentRequest> {
  const request = requestOf(event, outermost)
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const { req } = event.node
  const given: unknown = await givenBody(event)
  if (isBodyInit(given)) {
    const { body, headers } = new Response(given)
    const type = given instanceof FormData ? headers.get('content-type') : null
    return { ...request, body, ...(type && { headers: withType(request, type) }) }
  }
  // Only what is used of it: the body may be one that a platform has parsed.
  const received = given === undefined ? req : { headers: req.headers, body: given }
  const read = await readBody(received as typeof req, { parser: UNPACKING })
  if (!read) return request
  const { content, type } = read
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { ...request, body, headers: withType(request, type) }
}

/** A request as if nobody were signed in. */
export function ofNobody({ headers, ...request }: SentRequest): SentRequest {
  const copy = new Headers([...headers])
  copy.delete('cookie')
  return { ...request, headers: copy }
}

const UNPACKING = 'a middleware that unpacks it into event.node.req.body'

/** Where h3 and the platforms below it leave a body that is no longer on its way. */
function givenBody(event: H3Event): unknown {
  const { [READ]: read, [PARSED]: parsed, rawBody, body } = event.node.req as ArrivedRequest
  const { _requestBody, web } = event
  const left = _requestBody || web?.request?.body || read || rawBody || body || undefined
  return left instanceof ReadableStream && parsed ? parsed : left
}

// Where `readBody` and the like of h3 keep what they have read. Of a stream, they keep what they made of it.
const READ: unique symbol = Symbol.for('h3RawBody')
const PARSED: unique symbol = Symbol.for('h3ParsedBody')

/** What h3 and platforms add to Node's request, or stand in for it with. */
interface ArrivedRequest {
  readonly url?: string | undefined
  readonly originalUrl?: string | undefined
  readonly socket?: { readonly encrypted?: boolean | undefined } | undefined
  readonly body?: unknown
  readonly rawBody?: unknown
  readonly [READ]?: unknown
  readonly [PARSED]?: unknown
}

function isBodyInit(given: unknown): given is BodyInit {
  return (
    typeof given === 'string' ||
    [Uint8Array, ArrayBuffer, ReadableStream, URLSearchParams, FormData, Blob].some(
      kind => given instanceof kind,
    )
  )
}

function withType({ headers }: SentRequest, type: string): Headers {
  const copy = new Headers([...headers])
  if (type) copy.set('content-type', type)
  return copy
}
