import type { ServerResponse } from 'node:http'
import { isLater } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { Next } from './express.ts'
import { setLocalSession } from './local-session.ts'
import { readSession, type SessionRequest } from './read-session.ts'

/**
 * Puts who is signed in on `res.locals`, and goes on to what comes next where `accept` says so: at once
 * where that is known at once, since a route that is waited for costs Express more than the session does.
 * What goes wrong goes to `next`.
 */
export function passSession(
  req: SessionRequest,
  res: ServerResponse,
  config: object,
  next: Next,
  accept: (session: Session | null) => boolean,
): void | Promise<void> {
  let accepted: boolean
  try {
    const reading = readSession(req, config, res)
    if (isLater(reading)) {
      return Promise.resolve(reading)
        .then(session => keepIfAccepted(res, config, session, accept))
        .then(wasAccepted => (wasAccepted ? next() : undefined), next)
    }
    accepted = keepIfAccepted(res, config, reading, accept)
  } catch (error) {
    return next(error)
  }
  if (accepted) next()
}

function keepIfAccepted(
  res: ServerResponse,
  config: object,
  session: Session | null,
  accept: (session: Session | null) => boolean,
): boolean {
  const accepted = accept(session)
  if (accepted) setLocalSession(res, config, session)
  return accepted
}
