import type { PageConfig } from '../config/resolved.ts'
import type { SentRequest } from '../http/incoming.ts'
import { resolveOrigin } from '../http/origin.ts'

/** Links on a page that reports a fault lead where the visitor already is. */
export function pageOrigin(config: PageConfig, request: SentRequest): string {
  const { protocol, host, origin } = new URL(request.url)
  const header = (name: string) => request.headers.get(name)
  return resolveOrigin(config.origin, config.trustHost, { header, protocol, host }).origin ?? origin
}
