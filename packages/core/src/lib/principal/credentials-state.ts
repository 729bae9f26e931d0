import type { Session } from '../base/session.ts'
import type { CookieOption } from '../http/cookies.ts'
import { mayHideTokens, otherTokens } from '../http/duplicate-session-cookies.ts'
import { findSession, type ReceivedCookie } from '../http/find-session-cookie.ts'
import type { IssuedSession, SessionStore } from '../session/store.ts'
import type { Principal } from './principal.ts'

declare const opaque: unique symbol

/**
 * The credentials of a request: the session cookie, later a header as well. Only this folder looks into them, so that
 * no flow decides by itself whose cookie it is.
 */
export interface ReceivedCredentials {
  readonly [opaque]: true
}

/** The state of a request's credentials in this folder, for as long as the request lasts. */
export interface CredentialsState {
  readonly sessions: SessionStore
  readonly cookie: CookieOption
  readonly header: string | null
  /** Binds sessions to browsers; null if the site does not need it. */
  readonly binding: SessionBinding | null
  /** Whether cookies can be set in the response. */
  canSetCookies: boolean
  received?: Promise<ReceivedSession | null>
  /** Whether the session that came can have been set by another host. Known once it was ended. */
  isPlanted?: boolean
  principal?: Promise<Principal>
  /** The result of the `session` callback for the principal's session. */
  shown?: Session | null
  /** A token that has to reach the browser, because the `jwt` callback has changed the claims. */
  renewal?: IssuedSession | undefined
}

/** The cookie that binds a session to a browser, and the secrets it is made with, the newest first. */
interface SessionBinding {
  readonly cookie: CookieOption
  readonly secrets: readonly string[]
}

/** A request with what it presents to show who sent it. */
export interface WithCredentials {
  readonly credentials: ReceivedCredentials
}

// In the global registry, as with errors: what is loaded later may be of another copy of this package.
const STATE = Symbol.for('siteauth.credentials')

/** Makes credentials of their state. */
export function toCredentials(state: CredentialsState): ReceivedCredentials {
  return Object.freeze({ [STATE]: state }) as unknown as ReceivedCredentials // the brand exists in types only
}

/** The state of a request's credentials. */
export function stateOf({ credentials }: WithCredentials): CredentialsState {
  return (credentials as unknown as { readonly [STATE]: CredentialsState })[STATE] // see toCredentials
}

/** The session cookie of a request. It is not verified yet. */
export interface ReceivedSession extends ReceivedCookie {
  /**
   * Whether sessions of two users may have come with the request: one of them was planted, and it is unknown which. So it is
   * also if more cookies came than can be looked at.
   */
  readonly isContested: boolean
}

/** The session cookie of a request, with the first token that belongs to a user if several came. */
export function receivedSession(state: CredentialsState): Promise<ReceivedSession | null> {
  const { sessions, header, cookie } = state
  state.received ??= findReceivedSession(sessions, header, cookie.name)
  return state.received
}

/** The same for the session cookie of any name. */
export async function findReceivedSession(
  sessions: Pick<SessionStore, 'userIdOf'>,
  header: string | null,
  name: string,
): Promise<ReceivedSession | null> {
  const found = findSession(header, name)
  if (!found) return null
  const others = otherTokens(header, name, found.token)
  if (others.length === 0) return { ...found, isContested: false }
  const isContested = mayHideTokens(header, name)
  let own: { readonly token: string; readonly userId: string } | undefined
  for (const token of [found.token, ...others]) {
    const userId = await sessions.userIdOf(token)
    if (own && userId !== null && userId !== own.userId) {
      return { ...found, token: own.token, isContested: true }
    }
    if (userId !== null) own ??= { token, userId }
  }
  return { ...found, token: own?.token ?? found.token, isContested }
}
