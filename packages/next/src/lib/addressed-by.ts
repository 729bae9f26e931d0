import { resolveOrigin, type Whereabouts } from '@siteauth/core/integration'
import type { Addressed } from './addressed.ts'

const LOCAL = /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/

/**
 * Where a request was sent to by its headers alone. The host that is believed decides about the scheme: a
 * visitor may name another one beside it.
 */
export function addressedBy(
  headers: Headers,
  { trustHost }: Pick<Whereabouts, 'trustHost'>,
): Addressed {
  const host = headers.get('host') ?? ''
  const sent = { header: (name: string) => headers.get(name), protocol: 'https:', host }
  const { origin = `https://${host}` } = resolveOrigin(undefined, trustHost, sent)
  return LOCAL.test(origin) ? { ...sent, protocol: 'http:' } : sent
}
