import type { Incoming } from './incoming.ts'

/** They are of the body that came. */
const LEFT = ['content-type', 'content-length', 'transfer-encoding']

/** The request as the application may read it once more: same URL and headers, the fields as JSON. */
export function repeatRequest({ url, headers, body }: Incoming): Request {
  const repeated = [...headers].filter(([name]) => !LEFT.includes(name))
  repeated.push(['content-type', 'application/json'])
  return new Request(url, { method: 'POST', headers: repeated, body: JSON.stringify(body) })
}
