import type { SentRequest } from '@siteauth/core/endpoints'
import { resolveOrigin, type SiteFrame } from '@siteauth/core/integration'

/**
 * Where this site is for the visitor; undefined if the host that a request names is not trusted.
 */
export function ownOrigin(
  { origin, trustHost }: Pick<SiteFrame, 'origin' | 'trustHost'>,
  { url, headers }: SentRequest,
): string | undefined {
  const { protocol, host } = new URL(url)
  const header = (name: string) => headers.get(name)
  return resolveOrigin(origin, trustHost, { header, protocol, host }).origin
}
