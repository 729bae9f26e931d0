import type { Awaitable, Session } from '../base/model.ts'
import type { ReadingScheme } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { cameTwice, mayHideTokens, otherTokens } from '../http/duplicate-session-cookies.ts'
import { type ArrivedSession, findSession } from '../http/find-session-cookie.ts'
import { clearSession, storeSession } from '../http/write-session-cookie.ts'
import type { ActiveSession, SessionStore } from '../session/store.ts'

/** A session, and what must happen to its cookie. */
export interface CheckedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
  /** Whether it is known that renewing, where it was not asked for, would have changed nothing. */
  readonly isCurrent?: boolean | undefined
}

/**
 * Puts the cookie of a session in order that was renewed, or that is none. Before it is taken away,
 * others that came beside it are tried: they may have been planted in front of the real one.
 */
export async function settleSession(
  { cookieOptions, sessions }: ReadingScheme,
  { token, names }: ArrivedSession,
  active: ActiveSession | null,
  header: string | null | undefined,
  show: (active: ActiveSession, cookies: readonly SetCookie[]) => Awaitable<CheckedSession>,
): Promise<CheckedSession> {
  const cookie = cookieOptions.sessionToken
  // What we set would take the place of the real one, if a planted one was read.
  const isUnsure = cameTwice(header, cookie.name)
  if (active?.renewal) {
    return show(active, isUnsure ? [] : storeSession(cookie, active.renewal, names))
  }
  for (const other of otherTokens(header, cookie.name, token)) {
    const found = await sessions.read(other, { canRenew: false })
    if (found) return show(found, [])
  }
  return { session: null, cookies: isUnsure ? [] : clearSession(cookie, names) }
}

/** The tokens that came beside a session's, where cookies of one name came twice. Few, however many. */
export function tokensBeside(
  header: string | null | undefined,
  name: string,
  { token }: ArrivedSession,
): readonly string[] {
  return cameTwice(header, name) ? otherTokens(header, name, token) : []
}

/** The session cookie of a request, before it is read. */
export interface OwnSession extends ArrivedSession {
  /**
   * Whether sessions of two users may have come with the request: one of them was planted, and it is unknown which. So it is
   * also if more cookies came than can be looked at.
   */
  readonly isContested?: boolean | undefined
}

/** The session cookie of a request, with the first token that belongs to a user if several came. */
export async function findOwnSession(
  sessions: Pick<SessionStore, 'userIdOf'>,
  header: string | null | undefined,
  name: string,
): Promise<OwnSession | null> {
  const arrived = findSession(header, name)
  const others = arrived ? otherTokens(header, name, arrived.token) : []
  if (!arrived || others.length === 0) return arrived
  const isContested = mayHideTokens(header, name)
  let own: { readonly token: string; readonly userId: string } | undefined
  for (const token of [arrived.token, ...others]) {
    const userId = await sessions.userIdOf(token)
    if (own && userId !== null && userId !== own.userId) {
      return { ...arrived, token: own.token, isContested: true }
    }
    if (userId !== null) own ??= { token, userId }
  }
  return { ...arrived, token: own?.token ?? arrived.token, isContested }
}
