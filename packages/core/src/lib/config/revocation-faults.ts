import { type AuthError, InvalidConfiguration } from '../base/errors.ts'
import type { SessionOptions } from './options.ts'

/** What is wrong with how sessions are to be ended. */
export function revocationFaults({ revocation: wish }: SessionOptions): readonly AuthError[] {
  if (wish === undefined || wish === false) return []
  if (typeof wish !== 'object' || wish === null) {
    return [fault('session.revocation must be an object, or false.')]
  }
  const { check = 'view', whenStale = 'unknown', pollEvery = 10, maxStale = 300, log } = wish
  const methods = ['end', 'find', 'since'] as const
  return [
    !['view', 'renewal'].includes(check) && `session.revocation.check must be 'view' or 'renewal'.`,
    !['unknown', 'accept'].includes(whenStale) &&
      `session.revocation.whenStale must be 'unknown' or 'accept'.`,
    !(Number.isFinite(pollEvery) && pollEvery > 0) &&
      'session.revocation.pollEvery must be a number of seconds greater than 0.',
    !(Number.isFinite(maxStale) && maxStale >= pollEvery) &&
      'session.revocation.maxStale must be a number of seconds, no less than pollEvery.',
    log !== undefined &&
      methods.some(name => typeof log?.[name] !== 'function') &&
      'session.revocation.log must have the methods end, find and since.',
  ]
    .filter(each => each !== false)
    .map(fault)
}

function fault(message: string): AuthError {
  return new InvalidConfiguration(message)
}
