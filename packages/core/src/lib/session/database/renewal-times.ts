import type { SessionRenewal } from '../../base/adapter.ts'
import { type Lifetime, nextExpiry, ONE_MINUTE, type SessionLimits } from '../lifetime.ts'

/** Some stores keep whole seconds. */
const ONE_SECOND = 1000

/** When a session is due for renewal, reckoned from its end, which is what a row has. */
export function renewalAt(now: number, lifetime: Lifetime, limits?: SessionLimits): SessionRenewal {
  const unlimited = nextExpiry(now, lifetime)
  const expires = nextExpiry(now, lifetime, limits)
  const dueUntil = unlimited - lifetime.updateAge * 1000
  return {
    now: new Date(now),
    // A session that already lasts as long as its limits allow is not written again.
    dueUntil: new Date(expires < unlimited ? Math.min(dueUntil, expires - ONE_SECOND) : dueUntil),
    dueAfter: new Date(expires + ONE_MINUTE),
    expires: new Date(expires),
  }
}

/** Whether a session that ends at this time is due. */
export function isDueAt(
  end: number,
  { dueUntil, dueAfter }: Pick<SessionRenewal, 'dueUntil' | 'dueAfter'>,
): boolean {
  return end <= dueUntil.getTime() || end > dueAfter.getTime()
}

/** A session whose beginning is unknown must not go on forever. */
export function isRenewable({ absoluteAge }: Lifetime, { bgn }: SessionLimits): boolean {
  return absoluteAge === undefined || bgn !== undefined
}
