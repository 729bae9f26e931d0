import { MAX_ENDED, otherTokens } from '../http/duplicate-session-cookies.ts'
import type { SessionLimits } from '../session/lifetime.ts'
import type { EndedSession, SessionStore } from '../session/store.ts'
import type { CredentialsState, ReceivedSession, WithCredentials } from './credentials-state.ts'
import { receivedSession, stateOf } from './credentials-state.ts'
import { isBoundSession } from './session-binding.ts'

/** A session that a request has ended. */
export interface EndedReceivedSession {
  /** The user whose session it was, if the caller needs to know. */
  readonly userId: string | null
  /** The argument of the `signOut` event. */
  readonly ended: EndedSession
}

/**
 * Ends the sessions of the cookies that came with a request, also those that no callback would accept. There are more than a
 * session check looks at: the session of the visitor may be hidden among planted ones.
 */
export async function endReceivedSessions(
  request: WithCredentials,
  { needsOwner }: { readonly needsOwner: boolean },
): Promise<EndedReceivedSession | null> {
  const state = stateOf(request)
  const { sessions } = state
  const received = await receivedSession(state)
  if (!received) return null
  const userId = needsOwner ? await ownerOf(sessions, received.token) : null
  state.isPlanted = await canBePlanted(state, received)
  const ended = await sessions.revoke(received.token)
  for await (const other of otherSessions(state, received)) await sessions.revoke(other)
  return { userId, ended }
}

/** Ends the session that a browser had before it signed in again, also if it is hidden behind a planted one. */
export async function replaceReceivedSession(request: WithCredentials): Promise<void> {
  const state = stateOf(request)
  const { sessions } = state
  const received = await receivedSession(state)
  if (!received) return
  state.isPlanted = await canBePlanted(state, received)
  await sessions.endReplaced(received.token)
  for await (const other of otherSessions(state, received)) await sessions.endReplaced(other)
}

/** The tokens of further sessions that came with a request: more than a session check looks at. */
async function* otherSessions(
  { sessions, header, cookie }: CredentialsState,
  { token }: ReceivedSession,
): AsyncGenerator<string> {
  for (const other of otherTokens(header, cookie.name, token, MAX_ENDED)) {
    if ((await sessions.userIdOf(other)) !== null) yield other
  }
}

/** Whether another host can have set the session cookie: there are sessions of two users, or this browser was not given it. */
async function canBePlanted(
  state: CredentialsState,
  { token, isContested }: ReceivedSession,
): Promise<boolean> {
  if (isContested || (await isBoundSession(state, token))) return isContested
  // A token of another application may have this name as well.
  return (await ownerOf(state.sessions, token)) !== null
}

/** The limits of the session that came with a request, for a session that replaces it without a new proof. */
export async function receivedLimits(request: WithCredentials): Promise<SessionLimits> {
  const state = stateOf(request)
  const received = await receivedSession(state)
  return received ? state.sessions.getLimits(received.token) : {}
}

/** If the store does not respond, users can still sign out, though only of this application. */
async function ownerOf(sessions: SessionStore, token: string): Promise<string | null> {
  try {
    return await sessions.userIdOf(token)
  } catch {
    return null // ending the session reports it, if that fails as well
  }
}
