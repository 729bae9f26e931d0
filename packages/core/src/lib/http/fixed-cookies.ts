import type { CookieAttributes, CookieOption, SetCookie } from './cookies.ts'
import { findSession } from './find-session-cookie.ts'

// The cookies that no option names. All others are in the table of `config/cookies.ts`.

/** The cookies that have the scope of the session cookie. */
export type SessionScopedName =
  /** Another value tells pages that someone has signed in or out. */
  | 'siteauth.changed'
  /** The data for signing out at the provider. */
  | 'siteauth.hint'
  /** Shows that there is a hint, to paths that the browser does not send it to. */
  | 'siteauth.via'
  /** The data for the way back from signing out at the provider. */
  | 'siteauth.logout'

/** Every cookie that no option names. */
export type FixedCookieName =
  | SessionScopedName
  | 'siteauth.token-error'
  /** See {@link postedResponseName}. */
  | 'state-answer'

/** A cookie that browsers send wherever they send the session cookie. It has a lifetime of its own. */
export function sessionScoped({ options }: CookieOption, name: SessionScopedName): CookieOption {
  const { encode, ...attributes } = untilBrowserCloses(options)
  return { name: `${options.secure ? '__Secure-' : ''}${name}`, options: attributes }
}

/** The attributes of a cookie that the browser forgets when it is closed. */
export function untilBrowserCloses(options: CookieAttributes): CookieAttributes {
  const { expires, maxAge, ...rest } = options
  return rest
}

/**
 * Notifies the application's pages that the visitor, or the visitor's session, has changed. Scripts may read it, so
 * it is random and contains nothing else; forging it only makes a page ask again.
 */
export function changeSignal(
  session: CookieOption,
  randomHex: (bytes: number) => string,
): SetCookie {
  const { name, options } = sessionScoped(session, 'siteauth.changed')
  const { httpOnly, ...readable } = options
  return { name, value: randomHex(8), options: readable }
}

/** The cookie of a browser whose tokens at a provider can no longer be refreshed. It says nothing else. */
export function tokenErrorCookie({ options }: CookieOption): CookieOption {
  const { secure } = options
  const name = 'siteauth.token-error' satisfies FixedCookieName
  return {
    name: `${secure ? '__Host-' : ''}${name}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: secure ?? false },
  }
}

/** Whether the request has it. */
export function hasTokenError(header: string | null | undefined, session: CookieOption): boolean {
  return findSession(header, tokenErrorCookie(session).name) !== null
}

/** The name of the cookies that store what a provider has posted: by that of the cookies of attempts, which an option names. */
export function postedResponseName({ name: state }: CookieOption): string {
  return `${state}-answer`
}
