import type { DefaultSession, Session } from '@siteauth/core/types'

/**
 * Passes data to the application's `jwt` and `session` callbacks, with `trigger: 'update'`, and
 * resolves with the resulting session. Rejects on failure. Without data, reads the session again,
 * as `refresh` does.
 */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null>

/** What is there whoever is signed in. */
export interface SessionControls<S> {
  readonly update: UpdateSession<S>
  /** Asks the server who is signed in. Rejects if there is no response. */
  readonly refresh: () => Promise<S | null>
  /**
   * Why the session could not be read last time, during retries; otherwise null. `data` is then
   * what was known before.
   */
  readonly error: Error | null
}

/** Someone is signed in. */
export interface SignedIn<S> extends SessionControls<S> {
  readonly data: S
  readonly status: 'authenticated'
}

/** No one is signed in. */
export interface SignedOut<S> extends SessionControls<S> {
  readonly data: null
  readonly status: 'unauthenticated'
}

/** It is not known yet, or not yet so that it may be shown. */
export interface SessionLoading<S> extends SessionControls<S> {
  /** Undefined before the first answer; null if someone has yet to sign in. */
  readonly data: null | undefined
  readonly status: 'loading'
}

/**
 * Who is signed in, and how to change that.
 *
 * @typeParam R whether a session is required: then nobody is ever shown as signed out
 * @typeParam S the type of the session
 */
export type SessionContextValue<
  R extends boolean = false,
  S extends DefaultSession = Session,
> = R extends true
  ? SignedIn<S> | SessionLoading<S>
  : SignedIn<S> | SignedOut<S> | SessionLoading<S>
