import type { SentHeaders } from './incoming.ts'

/** The headers of a request for the application, which is told that it gets those of the web. */
export function webHeaders(headers: SentHeaders): Headers {
  return headers instanceof Headers ? headers : new Headers([...headers])
}
