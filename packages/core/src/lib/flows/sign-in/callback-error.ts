import { type AuthError, CallbackRouteError, isAuthError } from '../../base/errors.ts'

/** Turns an error of a sign-in into one of ours that names the provider. */
export function asCallbackError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  return new CallbackRouteError(`The sign-in with "${provider}" failed.`, {
    ...(error instanceof Error ? { err: error } : { reason: textOf(error) }),
    provider,
  })
}

/** The text of a thrown value that is not an error. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that cannot be described'
  }
}
