import type { CookieAttributes, CookieOption } from '../http/cookies.ts'

/** The attributes of our cookies, unless a cookie has its own. */
export function commonAttributes(secure: boolean): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure }
}

/** The session cookie, for visitors who come over HTTPS or for those who do not. */
export function sessionCookie(secure: boolean): CookieOption {
  const name = `${secure ? '__Secure-' : ''}authjs.session-token`
  return { name, options: commonAttributes(secure) }
}
