import type { IncomingHttpHeaders } from 'node:http'
import type { Sender, SentRequest } from '../http/incoming.ts'
import { NodeHeaders } from './node-headers.ts'
import type { ReadBody } from './read-body.ts'

/** A request of Node's, and what the framework makes of it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The host, where it is another than the header says. */
  readonly host?: string | undefined
  /** As the framework decides it by its setting for proxies. */
  readonly protocol: 'https:' | 'http:'
  /** The path and the query. */
  readonly path: string
  /** The headers that count in place of those that were sent: hosts that may be believed, first of all. */
  readonly own?: Iterable<readonly [string, string]> | undefined
  readonly body?: ReadBody | undefined
  readonly sender?: (() => Sender) | undefined
}

/** The request as the engine takes it. */
export function sentRequest(request: NodeRequest): SentRequest {
  const { method = 'GET', headers, own = [], body, sender } = request
  const ownHeaders = new Map(own)
  if (body?.type) ownHeaders.set('content-type', body.type)
  const hasBody = body && method !== 'GET' && method !== 'HEAD'
  return {
    method,
    url: urlOf(request),
    headers: new NodeHeaders(headers, ownHeaders),
    body: hasBody ? bytesOf(body) : null,
    sender,
  }
}

function bytesOf({ content }: ReadBody): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

/** Who a request without a host was sent to. Nobody can be: the name is reserved. */
const NO_HOST = 'unknown.invalid'

function urlOf({ headers, host = headers.host, protocol, path }: NodeRequest): string {
  // A host that is none is still in the headers, where the engine sees and refuses it.
  const named = host && isHost(host) ? host : NO_HOST
  return `${protocol}//${named}${path.startsWith('/') ? '' : '/'}${path}`
}

// Nearly all requests to a server name the same host.
let lastHost: string | undefined

function isHost(text: string): boolean {
  if (text === lastHost) return true
  if (!URL.canParse(`http://${text}/`)) return false
  lastHost = text
  return true
}
