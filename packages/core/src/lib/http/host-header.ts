import type { SentHeaders } from './request.ts'

/**
 * Whether a request has a `Host` header that is malformed. Nothing may be built from such a header: in `evil\login?`,
 * the host ends, and a path and a query begin. An absent header is not malformed: HTTP/1.0 has none, and HTTP/2 has
 * `:authority`.
 */
export function hasMalformedHost(headers: Pick<SentHeaders, 'get'>): boolean {
  const host = headers.get('host')
  return host !== null && !isHost(host)
}

// Nearly all requests to a server name the same host.
let lastHost: string | undefined

/** Whether a text is `name[:port]` or `[address][:port]`, and nothing else. */
export function isHost(text: string): boolean {
  if (text === lastHost) return true
  if (text.length > 255 || !HOST.test(text) || !URL.canParse(`http://${text}/`)) return false
  lastHost = text
  return true
}

const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i
