import type { AuthError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { cameTwice } from '../http/duplicate-session-cookies.ts'
import { finishSessionCheck } from './check-session.ts'
import type { WithCredentials } from './credentials-state.ts'
import {
  type CredentialsState,
  type ReceivedSession,
  receivedSession,
  stateOf,
} from './credentials-state.ts'
import { getPrincipal } from './get-principal.ts'
import type { Principal } from './principal.ts'
import { bindingCookies, isBoundSession } from './session-binding.ts'
import { continuedSessionCookies } from './session-cookies.ts'
import { asSessionError } from './session-error.ts'

/** A session that was changed, and its cookies. */
export interface ChangedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
  /** Why it is unknown whether the old token has ended. The cookies have to reach the browser all the same. */
  readonly failure?: AuthError | undefined
}

const NO_SESSION: ChangedSession = { session: null, cookies: [] }

/** Hands changes to the application's callbacks. Null if no session cookie came. */
export async function updateReceivedSession(
  config: ResolvedConfig,
  request: WithCredentials,
  changes: unknown,
): Promise<ChangedSession | null> {
  const state = stateOf(request)
  try {
    const received = await receivedSession(state)
    if (!received) return null
    const active = await state.sessions.update(received.token, changes)
    const { header } = state
    // With the header: a planted session that was changed must not take the place of the real one.
    const changed = await finishSessionCheck(config, toScheme(state), received, active, header)
    // The `session` callback hides it: what the visitor sent must not change it either.
    return active && !changed.session ? NO_SESSION : changed
  } catch (error) {
    throw asSessionError(config, error)
  }
}

/**
 * Gives the session of a request a new token. The old one ends in a moment, wherever it is. One that has been rotated a moment
 * ago is read, as all requests that were under way at the time may: another request brings its cookie.
 */
export async function rotateReceivedSession(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<ChangedSession> {
  const state = stateOf(request)
  try {
    const received = await receivedSession(state)
    if (!received) return NO_SESSION
    // First: a callback that fails must not cost the user the session.
    const principal = await getPrincipal(config, request)
    const canContinue = principal.kind === 'user' || principal.reason === 'no_user'
    // Only a browser that was given this token is given the next.
    const isBound = await isBoundSession(state, received.token)
    // The next token would take the place of the real one, if a planted cookie was read.
    const isUnsure = cameTwice(state.header, state.cookie.name)
    // What the `jwt` callback has changed may be used up, such as a refresh token: the next token has it.
    const { token } = state.renewal ?? received
    const issued = canContinue && !isUnsure && (await state.sessions.rotate(token))
    if (!issued) {
      const isReadable = await isStillReadable(state, received, principal)
      return isReadable ? await readReceived(config, state, received) : NO_SESSION
    }
    const { shown = null } = state
    return {
      session: shown && { ...shown, expires: issued.expires.toISOString() },
      cookies: [
        ...continuedSessionCookies(request, issued),
        ...(isBound ? await bindingCookies(state, issued) : []),
      ],
      ...(issued.failure !== undefined && { failure: asSessionError(config, issued.failure) }),
    }
  } catch (error) {
    throw asSessionError(config, error)
  }
}

/** Whether the store still accepts the token for reading, because another one has replaced it a moment ago, or is about to. */
async function isStillReadable(
  { sessions }: CredentialsState,
  { token }: ReceivedSession,
  principal: Principal,
): Promise<boolean> {
  if (principal.kind === 'none') return principal.reason === 'replaced'
  // Another request has rotated the session since the principal was found.
  const identified = await sessions.identify(token, { canRenew: false, isCallbackDone: true })
  return identified.absence === undefined || identified.absence === 'replaced'
}

async function readReceived(
  config: ResolvedConfig,
  state: CredentialsState,
  received: ReceivedSession,
): Promise<ChangedSession> {
  const active = await state.sessions.read(received.token, { canRenew: false })
  const { session } = await finishSessionCheck(config, toScheme(state), received, active)
  return { session, cookies: [] }
}

function toScheme({ cookie, sessions }: CredentialsState) {
  return { cookieOptions: { sessionToken: cookie }, sessions }
}
