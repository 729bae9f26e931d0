import { hostHeaders, schemeOf } from './address.ts'
import type { ServerRequest } from './express.ts'
import type { ReadBody } from './read-body.ts'

/** Who a request without a host was sent to. Nobody can be: the name is reserved. */
const NO_HOST = 'unknown.invalid'

/** The request as the web knows it, for one path of this server. */
export function toRequest(
  req: ServerRequest,
  path: string,
  { method = 'GET', body }: { method?: string | undefined; body?: ReadBody | undefined } = {},
): Request {
  const headers = headersOf(req)
  if (body) headers.set('content-type', body.type)
  return new Request(urlFor(req, path), {
    method,
    headers,
    body: body && method !== 'GET' && method !== 'HEAD' ? body.content : null,
  })
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
