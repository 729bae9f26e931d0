import type { Session } from '../base/session.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { finishSessionCheck } from './check-session.ts'
import type { WithCredentials } from './credentials-state.ts'
import {
  type CredentialsState,
  type ReceivedSession,
  receivedSession,
  stateOf,
} from './credentials-state.ts'
import { sessionCookies } from './session-cookies.ts'
import { asSessionError } from './session-error.ts'

// Both continue the very session that came, and neither needs to know whose it is: the store decides whether it is valid.

/** A session that was changed, and its cookies. */
export interface ChangedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
}

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
    return await finishSessionCheck(config, toScheme(state), received, active)
  } catch (error) {
    throw asSessionError(config, error)
  }
}

/** Gives the session of a request a new token. The old one ends in a moment, wherever it is. */
export async function rotateReceivedSession(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<ChangedSession> {
  const state = stateOf(request)
  const { sessions } = state
  try {
    const received = await receivedSession(state)
    if (!received) return { session: null, cookies: [] }
    // First: a callback that fails must not cost anybody the session.
    const session = await readReceived(config, state, received)
    const issued = session && (await sessions.rotate(received.token))
    if (!issued) {
      // Another request of this browser has rotated it a moment ago, and brings the cookie; or it has ended.
      const isStill = await sessions.read(received.token, { canRenew: false })
      return { session: isStill ? session : null, cookies: [] }
    }
    return {
      session: { ...session, expires: issued.expires.toISOString() },
      cookies: sessionCookies(request, issued),
    }
  } catch (error) {
    throw asSessionError(config, error)
  }
}

async function readReceived(
  config: ResolvedConfig,
  state: CredentialsState,
  received: ReceivedSession,
): Promise<Session | null> {
  const active = await state.sessions.read(received.token, { canRenew: false })
  return (await finishSessionCheck(config, toScheme(state), received, active)).session
}

function toScheme({ cookie, sessions }: CredentialsState) {
  return { cookieOptions: { sessionToken: cookie }, sessions }
}
