import type { IncomingHttpHeaders } from 'node:http'
import type { SentHeaders, SentRequest } from '@siteauth/core/endpoints'
import { hostHeaders, requestScheme, senderOf } from './address.ts'
import type { ServerRequest } from './express.ts'
import { NodeHeaders } from './node-headers.ts'
import type { ReadBody } from './read-body.ts'
import { knownState } from './request-state.ts'

/** Who a request without a host was sent to. Nobody can be: the name is reserved. */
const NO_HOST = 'unknown.invalid'

interface Sent {
  readonly method?: string | undefined
  readonly body?: ReadBody | undefined
}

/** The request as the engine takes it, for one path of this server. */
export function toRequest(
  req: ServerRequest,
  path: string,
  { method = 'GET', body }: Sent = {},
): SentRequest {
  const { headers } = req
  const hasBody = body && method !== 'GET' && method !== 'HEAD'
  return {
    method,
    url: urlFor(req, headers, path),
    headers: engineHeaders(req, body?.type),
    body: hasBody ? bytesOf(body) : null,
    sender: () => senderOf(req),
  }
}

/** The headers of a request as the engine takes them. */
export function engineHeaders(req: ServerRequest, bodyType?: string): SentHeaders {
  const { headers } = req
  const own = new Map<string, string>(hostHeaders(req, headers))
  if (bodyType) own.set('content-type', bodyType)
  // An earlier sign-in or sign-out of this very request counts.
  const changed = knownState(req)?.cookieHeader
  if (changed !== undefined) own.set('cookie', changed)
  return new NodeHeaders(headers, own)
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
