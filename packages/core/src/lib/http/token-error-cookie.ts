import type { CookieOption } from './cookies.ts'
import { findSession } from './find-session-cookie.ts'

/** The cookie of a browser whose tokens at a provider can no longer be refreshed. It says nothing else. */
export function tokenErrorCookie({ options }: CookieOption): CookieOption {
  const { secure } = options
  const name = `${secure ? '__Host-' : ''}siteauth.token-error`
  return { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: secure ?? false } }
}

/** Whether it came along. */
export function hasTokenError(header: string | null | undefined, session: CookieOption): boolean {
  return findSession(header, tokenErrorCookie(session).name) !== null
}
