import type { ServerResponse } from 'node:http'
import { isPromise } from '@siteauth/core/internal'
import type { Awaitable, Session } from '@siteauth/core/types'
import type { Next } from '../express.ts'
import { setLocalSession } from './local-session.ts'
import { readSession, type SessionRequest } from './read-session.ts'

/** Whether a request with a session, or without one, may go on. */
export type Accept<Req> = (
  session: Session | null,
  req: Req,
  res: ServerResponse,
) => Awaitable<boolean>

/**
 * Puts the session on `res.locals`, and goes on to what comes next if `accept` returns true: at once if its result is
 * not a promise, since a route that is awaited costs Express more than the session does. Errors go to `next`.
 */
export function passSession<Req extends SessionRequest>(
  req: Req,
  res: ServerResponse,
  config: object,
  next: Next,
  accept: Accept<Req>,
): void | Promise<void> {
  let accepting: Awaitable<boolean>
  try {
    const reading = readSession(req, config, res)
    accepting = isPromise(reading)
      ? reading.then(session => storeIfAccepted(req, res, config, session, accept))
      : storeIfAccepted(req, res, config, reading, accept)
  } catch (error) {
    return next(asError(error))
  }
  if (isPromise(accepting)) {
    return Promise.resolve(accepting).then(
      accepted => (accepted ? next() : undefined),
      error => next(asError(error)),
    )
  }
  if (accepting) next()
}

/** Express goes on if it is handed no error, and to another route if that is `route`. */
function asError(thrown: unknown): object {
  const isError = typeof thrown === 'object' && thrown !== null
  return isError ? thrown : new Error(`Instead of an error, ${String(thrown)} was thrown.`)
}

function storeIfAccepted<Req extends SessionRequest>(
  req: Req,
  res: ServerResponse,
  config: object,
  session: Session | null,
  accept: Accept<Req>,
): Awaitable<boolean> {
  const accepting = accept(session, req, res)
  if (isPromise(accepting)) {
    return accepting.then(accepted => storeIf(accepted, res, config, session))
  }
  return storeIf(accepting, res, config, session)
}

function storeIf(
  accepted: boolean,
  res: ServerResponse,
  config: object,
  session: Session | null,
): boolean {
  if (accepted) setLocalSession(res, config, session)
  return accepted
}
