import { type AuthError, JWTSessionError, SessionTokenError } from '../base/errors.ts'
import type { SessionConfig } from '../config/resolved.ts'

/** A store or a callback that fails says nothing about who is signed in: it is never "nobody". */
export function asSessionError(config: Pick<SessionConfig, 'strategy'>, error: unknown): AuthError {
  if (error instanceof JWTSessionError || error instanceof SessionTokenError) return error
  return new (errorFor(config))('The session could not be read.', { cause: error })
}

/** The fault of a `session` callback that forgot to return. */
export function nothingReturned(config: Pick<SessionConfig, 'strategy'>): AuthError {
  return new (errorFor(config))('The session callback returned nothing. Return the session.')
}

function errorFor({ strategy }: Pick<SessionConfig, 'strategy'>): typeof AuthError {
  return strategy === 'jwt' ? JWTSessionError : SessionTokenError
}
