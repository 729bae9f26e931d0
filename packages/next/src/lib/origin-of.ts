import { resolveOrigin, type SiteFrame } from '@siteauth/core/integration'
import type { Addressed } from './addressed.ts'

/** The origin that browsers see. Undefined if the host is not trusted. */
export function originOf(
  { origin, trustHost }: Pick<SiteFrame, 'origin' | 'trustHost'>,
  sent: Addressed,
): string | undefined {
  return resolveOrigin(origin, trustHost, sent).origin
}
