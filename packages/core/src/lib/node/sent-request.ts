import type { IncomingHttpHeaders } from 'node:http'
import { isHost } from '../http/host-header.ts'
import type { Sender, SentRequest } from '../http/request.ts'
import { NodeHeaders } from './node-headers.ts'
import type { ReadBody } from './read-body.ts'

/** A request of Node's, and what the framework makes of it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The host, if it differs from the header. */
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

/** The host of a request without one, or with a malformed one. The name is reserved, so no one can own it. */
const NO_HOST = 'unknown.invalid'

function urlOf({ headers, host = headers.host, protocol, path }: NodeRequest): string {
  // A malformed host stays in the headers, for which the request is rejected. Here, it would take the place of the path.
  const named = host && isHost(host) ? host : NO_HOST
  return `${protocol}//${named}${path.startsWith('/') ? '' : '/'}${path}`
}
