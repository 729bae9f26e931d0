import type { EventCallbacks } from '../../base/callbacks.ts'
import { EventError } from '../../base/errors.ts'
import type { LoggerInstance } from '../../base/logger.ts'

/**
 * Every event. `logged` is for those whose listeners cannot disturb the operation. A listener for `emailClaimed` may
 * have to remove a password before the owner moves in: if it fails, the owner does not move in.
 */
export const EVENTS: Readonly<Record<keyof EventCallbacks, 'logged' | 'thrown'>> = {
  signIn: 'logged',
  signOut: 'logged',
  createUser: 'logged',
  updateUser: 'logged',
  linkAccount: 'logged',
  emailClaimed: 'thrown',
  accountError: 'logged',
  providerSignOut: 'logged',
  tooManyAttempts: 'logged',
  session: 'logged',
}

/** Wraps the listeners, so that they cannot disturb the flow that they listen to. */
export function wrapEvents(
  events: Partial<EventCallbacks> | undefined,
  logger: LoggerInstance,
): Partial<EventCallbacks> {
  const wrapped: Record<string, unknown> = {}
  const names = Object.keys(EVENTS) as (keyof EventCallbacks)[] // as its type states
  for (const name of names) {
    if (typeof events?.[name] !== 'function') continue
    wrapped[name] = async (message: never) => {
      try {
        await events[name]?.(message)
      } catch (error) {
        const failure = new EventError(`The listener for the event ${name} failed.`, {
          cause: error,
        })
        if (EVENTS[name] === 'thrown') throw failure
        logger.error(failure)
      }
    }
  }
  return wrapped as Partial<EventCallbacks> // the listeners that were there
}
