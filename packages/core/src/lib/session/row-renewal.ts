import type { SessionRenewal } from '../base/model.ts'
import { type Lifetime, nextExpiry, ONE_MINUTE } from './lifetime.ts'

/** When a session is due for renewal, said of when it ends, which is what a store of rows knows. */
export function renewalAt(now: number, lifetime: Lifetime): SessionRenewal {
  const expires = nextExpiry(now, lifetime)
  return {
    now: new Date(now),
    dueUntil: new Date(expires - lifetime.updateAge * 1000),
    dueAfter: new Date(expires + ONE_MINUTE),
    expires: new Date(expires),
  }
}
