import type { Session } from '@siteauth/core/types'
import type { Middleware, SessionLocals, WithLocals } from '../express.ts'
import { rejectMalformedHost } from '../request/reject-host.ts'
import { passSession } from './pass-session.ts'

/** Creates middleware that puts the session, or null, on `res.locals.session`, and renews it when it is due. */
export function createSessionMiddleware(
  config: object,
): Middleware<WithLocals<SessionLocals<Session | null>>> {
  return (req, res, next) => {
    if (rejectMalformedHost(req, res)) return
    return passSession(req, res, config, next, acceptEverybody)
  }
}

function acceptEverybody(): boolean {
  return true
}
