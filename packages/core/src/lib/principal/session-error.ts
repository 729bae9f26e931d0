import { type AuthError, JWTSessionError, SessionTokenError } from '../base/errors.ts'
import type { SessionConfig } from '../config/resolved-config.ts'

/** If a store or a callback fails, it is unknown who is signed in: the failure never means "signed out". */
export function asSessionError(config: Pick<SessionConfig, 'strategy'>, error: unknown): AuthError {
  if (error instanceof JWTSessionError || error instanceof SessionTokenError) return error
  return new (errorFor(config))('The session could not be read.', { cause: error })
}

/** The fault of a `session` callback that returned neither a session nor null. */
export function notASession(config: Pick<SessionConfig, 'strategy'>, returned: unknown): AuthError {
  const what = returned === undefined ? 'nothing' : `a ${typeof returned}`
  return new (errorFor(config))(
    `The session callback returned ${what}. Return the session, or null if nobody is signed in.`,
  )
}

function errorFor({ strategy }: Pick<SessionConfig, 'strategy'>): typeof AuthError {
  return strategy === 'jwt' ? JWTSessionError : SessionTokenError
}
