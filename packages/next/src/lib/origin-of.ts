import { resolveOrigin, type Whereabouts } from '@siteauth/core/integration'
import type { Addressed } from './addressed.ts'

/** The origin that browsers see. Undefined where the host is not trusted. */
export function originOf(
  { origin, trustHost }: Pick<Whereabouts, 'origin' | 'trustHost'>,
  sent: Addressed,
): string | undefined {
  return resolveOrigin(origin, trustHost, sent).origin
}
