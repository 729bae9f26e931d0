import type { IncomingHttpHeaders } from 'node:http'
import type { SentRequest } from '@siteauth/core/endpoints'
import { hostHeaders, requestScheme } from './address.ts'
import type { ServerRequest } from './express.ts'
import { NodeHeaders } from './node-headers.ts'
import type { ReadBody } from './read-body.ts'

/** Who a request without a host was sent to. Nobody can be: the name is reserved. */
const NO_HOST = 'unknown.invalid'

interface Sent {
  readonly method?: string | undefined
  readonly body?: ReadBody | undefined
  /** A header that is kept from the engine. */
  readonly without?: string
}

/** The request as the engine takes it, for one path of this server. */
export function toRequest(
  req: ServerRequest,
  path: string,
  { method = 'GET', body, without }: Sent = {},
): SentRequest {
  const { headers } = req
  const own = new Map<string, string | null>(hostHeaders(req, headers))
  if (body) own.set('content-type', body.type)
  if (without) own.set(without, null)
  const hasBody = body && method !== 'GET' && method !== 'HEAD'
  return {
    method,
    url: urlFor(req, headers, path),
    headers: new NodeHeaders(headers, own),
    body: hasBody ? bytesOf(body) : null,
  }
}

function bytesOf({ content }: ReadBody): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function urlFor(req: ServerRequest, headers: IncomingHttpHeaders, path: string): string {
  const { host } = headers
  // A host that is none is still in the headers, where the engine sees and refuses it.
  const named = host && isHost(host) ? host : NO_HOST
  return `${requestScheme(req, headers)}//${named}${path.startsWith('/') ? '' : '/'}${path}`
}

// Nearly all requests to a server name the same host.
let lastHost: string | undefined

function isHost(text: string): boolean {
  if (text === lastHost) return true
  if (!URL.canParse(`http://${text}/`)) return false
  lastHost = text
  return true
}
