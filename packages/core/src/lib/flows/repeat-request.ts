import type { Incoming } from '../http/incoming.ts'

/** The request as the application may read it once more: same URL and headers, the fields as JSON. */
export function repeatRequest({ url, headers, body }: Incoming): Request {
  const repeated = new Headers(headers)
  repeated.delete('content-length')
  repeated.delete('transfer-encoding')
  repeated.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers: repeated, body: JSON.stringify(body) })
}
