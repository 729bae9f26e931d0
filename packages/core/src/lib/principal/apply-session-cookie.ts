import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import type { ReadingScheme } from '../config/resolved-config.ts'
import type { SetCookie } from '../http/cookies.ts'
import { cameTwice, otherTokens } from '../http/duplicate-session-cookies.ts'
import type { ReceivedCookie } from '../http/find-session-cookie.ts'
import { clearSession, storeSession } from '../http/write-session-cookie.ts'
import type { ActiveSession } from '../session/store.ts'

/** A session, and what must happen to its cookie. */
export interface CheckedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
  /** Whether it is known that renewing, where it was not asked for, would have changed nothing. */
  readonly isCurrent?: boolean | undefined
}

/**
 * Replaces the cookie of a renewed session and clears an invalid one. Before it is cleared, others that came beside
 * it are tried: they may have been planted in front of the real one.
 */
export async function applySessionCookie(
  { cookieOptions, sessions }: ReadingScheme,
  { token, names }: ReceivedCookie,
  active: ActiveSession | null,
  header: string | null | undefined,
  show: (active: ActiveSession, cookies: readonly SetCookie[]) => Awaitable<CheckedSession>,
): Promise<CheckedSession> {
  const cookie = cookieOptions.sessionToken
  // If a planted cookie was read, setting one would replace the real one.
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
