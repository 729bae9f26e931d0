import type { SentRequest } from '@siteauth/core/endpoints'
import { hostHeaders, schemeOf } from './address.ts'
import type { ServerRequest } from './express.ts'
import type { ReadBody } from './read-body.ts'

/** Who a request without a host was sent to. Nobody can be: the name is reserved. */
const NO_HOST = 'unknown.invalid'

/** The request as the engine takes it, for one path of this server. */
export function toRequest(
  req: ServerRequest,
  path: string,
  { method = 'GET', body }: { method?: string | undefined; body?: ReadBody | undefined } = {},
): SentRequest {
  const headers = headersOf(req)
  if (body) headers.set('content-type', body.type)
  const hasBody = body && method !== 'GET' && method !== 'HEAD'
  return { method, url: urlFor(req, path), headers, body: hasBody ? bytesOf(body) : null }
}

function bytesOf({ content }: ReadBody): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function urlFor(req: ServerRequest, path: string): string {
  const below = path.startsWith('/') ? path : `/${path}`
  const url = `${schemeOf(req)}//${req.headers.host}${below}`
  // A host that is none is still in the headers, where the engine sees and refuses it.
  return req.headers.host && URL.canParse(url) ? url : `${schemeOf(req)}//${NO_HOST}${below}`
}

// Express has decided what these mean; the engine must not decide a second time. The rest describes
// a body and a connection that are not passed on.
const left = /^(?:x-forwarded-.+|forwarded|host|connection|content-length|transfer-encoding)$/

function headersOf(req: ServerRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || left.test(name)) continue
    headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  for (const [name, value] of Object.entries(hostHeaders(req))) headers.set(name, value)
  return headers
}
