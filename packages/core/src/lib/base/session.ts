import type { User } from './user.ts'

/** The session fields the library itself uses. */
export interface DefaultSession {
  user?: User
  /** When the session ends, as an ISO date. */
  expires: string
}

/**
 * What `auth()`, `getSession()` and `GET session` return. The browser can read it, so it only
 * contains what the `session` callback put there. Add your own fields by augmenting this interface.
 */
export interface Session extends DefaultSession {}

/** The claims the library itself puts into a session token. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  sub?: string
  iat?: number
  exp?: number
  jti?: string
}

/**
 * The contents of the session cookie with the `jwt` strategy, encrypted. Add your own claims by
 * augmenting this interface.
 */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** What is known of a session beside whose it is: what the list of somebody's sessions tells them by. */
export interface SessionDetails {
  createdAt?: Date
  /** When it was last renewed. */
  lastSeenAt?: Date
  /** What the browser said of itself when it signed in. */
  userAgent?: string
  /** What the application calls it: see `session.describe`. */
  label?: string
  /** The id of the provider that somebody signed in with. */
  provider?: string
}
