import type { SessionRenewal } from '../base/model.ts'
import { type Lifetime, nextExpiry, ONE_MINUTE, type Terms } from './lifetime.ts'

/** Some stores keep whole seconds. */
const ONE_SECOND = 1000

/** When a session is due for renewal, said of when it ends, which is what a store of rows knows. */
export function renewalAt(now: number, lifetime: Lifetime, terms?: Terms): SessionRenewal {
  const unlimited = nextExpiry(now, lifetime)
  const expires = nextExpiry(now, lifetime, terms)
  const dueUntil = unlimited - lifetime.updateAge * 1000
  return {
    now: new Date(now),
    // One that lasts as long as it may is not written again.
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
