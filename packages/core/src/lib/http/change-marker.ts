import type { CookieOption, SetCookie } from './cookies.ts'

/**
 * Tells the application's pages that who is signed in, or what is known about them, has changed.
 * Scripts may read it, so it is random and says nothing else; forging it only makes a page ask once
 * more. It has the session cookie's scope, and lasts until the browser closes.
 */
export function markChange(
  { options }: CookieOption,
  randomHex: (bytes: number) => string,
): SetCookie {
  const { httpOnly, expires, maxAge, encode, ...attributes } = options
  const prefix = attributes.secure ? '__Secure-' : ''
  return { name: `${prefix}siteauth.changed`, value: randomHex(8), options: attributes }
}
