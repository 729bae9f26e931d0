import type { AdapterSession } from '../../base/adapter.ts'
import type { SessionDetails } from '../../base/session.ts'
import { nextExpiry, type SessionLimits } from '../lifetime.ts'
import { nameWith } from '../session-name.ts'
import { type DatabaseContext, seenAt } from './database-context.ts'

/** The row of a session that begins now, which is not stored yet. */
export function draftSession(
  context: DatabaseContext,
  limits: SessionLimits = {},
  details?: SessionDetails,
): Omit<AdapterSession, 'userId'> {
  const { lifetime, takesDetails, generateSessionToken } = context
  const time = context.now()
  const { bgn = time, ...others } = limits
  // Without an absolute age the beginning limits nothing, so that such names stay as they were.
  const named = lifetime.absoluteAge === undefined ? others : { ...others, bgn }
  return {
    sessionToken: nameWith(generateSessionToken(), named),
    expires: new Date(nextExpiry(time, lifetime, named)),
    ...(takesDetails && { createdAt: new Date(bgn), ...seenAt(context, time), ...details }),
  }
}
