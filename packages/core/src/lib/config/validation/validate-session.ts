import {
  type AuthError,
  InvalidConfiguration,
  MissingSecretError,
  UntrustedHost,
} from '../../base/errors.ts'
import { isPublishedSecret, PUBLISHED_SECRET } from '../../crypto/published-secrets.ts'
import { completeRevocation, completeSession } from '../complete-options.ts'
import type { AuthConfig, SessionOptions } from '../options.ts'
import { checkSessionOptions, type SessionOption } from '../session-config.ts'
import { lifetimeOf, revocationsOf, strategyOf, trackStoreOf } from '../session-readers.ts'
import { areTexts, type ConfigSources, namedSecrets } from '../sources.ts'

/** The problems because of which no session can be read. */
export function readingProblems(sources: ConfigSources): readonly AuthError[] {
  const isSound = checkSessionOptions(sources)
  const names = Object.keys(isSound) as SessionOption[] // as its type states
  return names.filter(name => !isSound[name]).map(name => DESCRIPTIONS[name](sources))
}

const DESCRIPTIONS: Readonly<Record<SessionOption, (sources: ConfigSources) => AuthError>> = {
  secret: ({ secrets }) =>
    secretProblem(
      secrets,
      'There is no secret. Set AUTH_SECRET to a random string of at least 32 characters, which ' +
        'npx siteauth secret does, or pass `secret`.',
    ),
  jwtSecret: ({ options }) =>
    secretProblem(
      namedSecrets(options.jwt?.secret) ?? [],
      'One of the secrets in `jwt.secret` is empty, or no text. Remove it, or set it.',
    ),
  trustHost: () =>
    new UntrustedHost(
      'The host of the application is unknown. Set AUTH_URL to its URL, list its hosts in ' +
        '`trustHost`, or set AUTH_TRUST_HOST=true if your own proxy sets the host header.',
    ),
  maxAge: () =>
    new InvalidConfiguration('session.maxAge must be a number of seconds greater than 0.'),
  absoluteAge: () =>
    new InvalidConfiguration('session.absoluteAge must be a number of seconds greater than 0.'),
  jwtMaxAge: () =>
    new InvalidConfiguration('jwt.maxAge must be a number of seconds greater than 0.'),
  updateAge: () =>
    new InvalidConfiguration('session.updateAge must be a number of seconds, 0 or greater.'),
  audience: () =>
    new InvalidConfiguration(
      'session.audience must be a non-empty string, such as the name of the tenant.',
    ),
  expose: ({ options }) =>
    new InvalidConfiguration(
      'session.expose must list columns of the user, or claims of the token, such as ' +
        `["id", "role"]. It is ${JSON.stringify(options.session?.expose)}.`,
    ),
  cacheBytes: () =>
    new InvalidConfiguration('jwt.cacheBytes must be a number of bytes. 0 turns the cache off.'),
}

function secretProblem(secrets: readonly string[], message: string): AuthError {
  const isPublished = areTexts(secrets) && secrets.some(isPublishedSecret)
  return new MissingSecretError(isPublished ? PUBLISHED_SECRET : message)
}

/** The problems with the start and the end of sessions. */
export function sessionProblems(options: AuthConfig): readonly string[] {
  const { remember, hashTokens, maxConcurrent } = completeSession(options.session)
  return [
    !['jwt', 'database'].includes(strategyOf(options)) &&
      `session.strategy must be 'jwt' or 'database'.`,
    ![true, false, 'ask'].includes(remember) && `session.remember must be true, false or 'ask'.`,
    ![true, false, 'accept', 'migrate'].includes(hashTokens) &&
      `session.hashTokens must be true, false, 'accept' or 'migrate'.`,
    !(maxConcurrent === Infinity || (Number.isSafeInteger(maxConcurrent) && maxConcurrent > 0)) &&
      'session.maxConcurrent must be a whole number greater than 0.',
    ...revocationProblems(options.session?.revocation),
  ].filter(each => typeof each === 'string')
}

function revocationProblems(revocation: SessionOptions['revocation']): readonly string[] {
  if (revocation === undefined || revocation === false) return []
  if (typeof revocation !== 'object' || revocation === null) {
    return ['session.revocation must be an object, or false.']
  }
  const { check, whenStale, pollSeconds, maxStaleSeconds, log } = completeRevocation(revocation)
  const methods = ['end', 'find', 'since'] as const
  return [
    !['always', 'on-renewal'].includes(check) &&
      `session.revocation.check must be 'always' or 'on-renewal'.`,
    !['reject', 'accept'].includes(whenStale) &&
      `session.revocation.whenStale must be 'reject' or 'accept'.`,
    !(Number.isFinite(pollSeconds) && pollSeconds > 0) &&
      'session.revocation.pollSeconds must be a number of seconds greater than 0.',
    !(Number.isFinite(maxStaleSeconds) && maxStaleSeconds >= pollSeconds) &&
      'session.revocation.maxStaleSeconds must be a number of seconds, no less than pollSeconds.',
    log !== undefined &&
      methods.some(name => typeof log?.[name] !== 'function') &&
      'session.revocation.log must have the methods end, find and since.',
  ].filter(each => each !== false)
}

/** The problems with the list of a user's sessions. */
export function trackingProblems(options: AuthConfig): readonly string[] {
  const { track, describe } = options.session ?? {}
  const { maxConcurrent } = completeSession(options.session)
  const store = trackStoreOf(options)
  const isJwt = strategyOf(options) === 'jwt'
  const isTracked = isJwt && Boolean(track)
  const methods = ['add', 'renew', 'list', 'remove', 'removeAll'] as const
  return [
    describe !== undefined &&
      typeof describe !== 'function' &&
      'session.describe must be a function that answers a text.',
    maxConcurrent !== Infinity &&
      !(isJwt ? isTracked : options.adapter?.listSessions) &&
      'session.maxConcurrent counts the sessions of a user: set session.track, or use an adapter with listSessions.',
    isTracked &&
      !store &&
      'session.track needs an adapter that keeps sessions in cookies, as all of ours do; or give it such a store.',
    isTracked &&
      store &&
      methods.some(name => typeof store[name] !== 'function') &&
      `session.track must be true, false, or a store with the methods ${methods.join(', ')}.`,
    isTracked &&
      !revocationsOf(options, lifetimeOf(options)) &&
      'session.track is for sessions that can be ended. Set session.revocation.log, or use an adapter that has one.',
  ].filter(each => typeof each === 'string')
}
