import { clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import { hasTokenError, tokenErrorCookie } from '../../http/fixed-cookies.ts'
import type { Incoming } from '../request/incoming.ts'

/** Marks a browser whose tokens at a provider can no longer be refreshed. */
export function setTokenError({ cookieOptions }: Incoming): SetCookie {
  return setCookie(tokenErrorCookie(cookieOptions.sessionToken), '1')
}

/** Removes the mark, if there is one: the user has signed in again. */
export function clearTokenError({ cookieOptions, headers }: Incoming): readonly SetCookie[] {
  const { sessionToken } = cookieOptions
  return hasTokenError(headers.get('cookie'), sessionToken)
    ? [clearCookie(tokenErrorCookie(sessionToken))]
    : []
}
