import type { CookieOption, SetCookie } from './cookies.ts'

/**
 * Tells the pages of the application that who is signed in, or what is known of them, is no longer
 * what it was. Scripts may read it, so it is random and says nothing else; whoever forges it makes a
 * page ask once more. It goes where the session cookie goes, and with the browser.
 */
export function markChange(
  { options }: CookieOption,
  randomHex: (bytes: number) => string,
): SetCookie {
  const { httpOnly, expires, maxAge, encode, ...attributes } = options
  const prefix = attributes.secure ? '__Secure-' : ''
  return { name: `${prefix}siteauth.changed`, value: randomHex(8), options: attributes }
}
