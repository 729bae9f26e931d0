import type { ServerResponse } from 'node:http'
import { isLater } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { Next } from './express.ts'
import { readSession, type SessionRequest } from './read-session.ts'

/**
 * Goes on to what comes next where `accept` says so of who is signed in: at once where that is known at
 * once, since a route that is waited for costs Express more than the session does. What goes wrong goes
 * to `next`.
 */
export function passSession(
  req: SessionRequest,
  res: ServerResponse,
  config: object,
  next: Next,
  accept: (session: Session | null) => boolean,
): void | Promise<void> {
  const goOn = (accepted: boolean) => {
    if (accepted) next()
  }
  let accepted: boolean
  try {
    const reading = readSession(req, config, res)
    if (isLater(reading)) return Promise.resolve(reading).then(accept).then(goOn, next)
    accepted = accept(reading)
  } catch (error) {
    return next(error)
  }
  goOn(accepted)
}
