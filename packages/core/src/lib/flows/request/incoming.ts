import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { ParsedRequest } from '../../http/request.ts'
import { type Received, receiveCredentials } from '../../principal/received-credentials.ts'

/** A request to an endpoint, or one that a call is made for, with what the configuration has for visitors of its scheme. */
export interface Incoming extends ParsedRequest, Received {}

/** Takes in a parsed request. */
export function receive(config: ResolvedConfig, parsed: ParsedRequest): Incoming {
  return { ...parsed, ...receiveCredentials(config, parsed.origin, parsed.headers.get('cookie')) }
}

/** They describe the body that came. */
const BODY_HEADERS = ['content-type', 'content-length', 'transfer-encoding']

/** The request as the application may read it again: same URL and headers, the fields as JSON. */
export function repeatRequest({ url, headers, body }: ParsedRequest): Request {
  const repeated = [...headers].filter(([name]) => !BODY_HEADERS.includes(name))
  repeated.push(['content-type', 'application/json'])
  return new Request(url, { method: 'POST', headers: repeated, body: JSON.stringify(body) })
}
