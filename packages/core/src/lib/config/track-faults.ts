import { type AuthError, InvalidConfiguration } from '../base/errors.ts'
import type { AuthConfig } from './options.ts'
import { endingsOf, lifetimeOf } from './readers.ts'
import { strategyOf } from './session-config.ts'
import { trackStoreOf } from './tracker-of.ts'

/** What is wrong with how sessions are to be listed. */
export function trackFaults(options: AuthConfig): readonly AuthError[] {
  const { track, describe } = options.session ?? {}
  const store = trackStoreOf(options)
  const isTracked = strategyOf(options) === 'jwt' && Boolean(track)
  const methods = ['add', 'renew', 'list', 'remove', 'removeAll'] as const
  return [
    describe !== undefined &&
      typeof describe !== 'function' &&
      'session.describe must be a function that answers a text.',
    isTracked &&
      !store &&
      'session.track needs an adapter that keeps sessions in cookies, as all of ours do; or give it such a store.',
    isTracked &&
      store &&
      methods.some(name => typeof store[name] !== 'function') &&
      `session.track must be true, false, or a store with the methods ${methods.join(', ')}.`,
    isTracked &&
      !endingsOf(options, lifetimeOf(options)) &&
      'session.track is for sessions that can be ended. Set session.revocation.log, or use an adapter that has one.',
  ]
    .filter(each => typeof each === 'string')
    .map(each => new InvalidConfiguration(each))
}
