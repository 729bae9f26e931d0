import type { Incoming } from '../http/incoming.ts'

/** The request as the application may read it once more: same URL and headers, the fields as JSON. */
export function repeatRequest({ url, headers, body }: Incoming): Request {
  const init = { method: 'POST', headers: [...headers], body: JSON.stringify(body) }
  const repeated = new Request(url, init)
  // They are of the body that came.
  repeated.headers.delete('content-length')
  repeated.headers.delete('transfer-encoding')
  repeated.headers.set('content-type', 'application/json')
  return repeated
}
