import type { Awaitable } from '../base/awaitable.ts'
import type { ReadingScheme } from '../config/resolved-config.ts'
import { hasTokenError } from '../http/fixed-cookies.ts'
import type { CheckedSession } from './apply-session-cookie.ts'

/** Adds the token error to a session if its browser is marked. An error that the application has set itself stays. */
export async function withTokenError(
  checking: Awaitable<CheckedSession>,
  { cookieOptions }: ReadingScheme,
  header: string | null | undefined,
): Promise<CheckedSession> {
  const checked = await checking
  const { session } = checked
  if (!session || !hasTokenError(header, cookieOptions.sessionToken)) return checked
  return { ...checked, session: { ...{ error: 'RefreshTokenError' }, ...session } }
}
