import type { User } from './user.ts'

/** The session fields the library itself uses. */
export interface DefaultSession {
  user?: User
  /** When the session ends, as an ISO date. */
  expires: string
}

/**
 * The result of `auth()`, `getSession()` and `GET session`. The browser can read it, so it only contains what the
 * `session` callback put there. Add your own fields by augmenting this interface.
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

/** Details of a session, by which users recognize it in the list of their sessions. */
export interface SessionDetails {
  createdAt?: Date
  /** When it was last renewed. */
  lastSeenAt?: Date
  /** The browser and system that the `User-Agent` named at sign-in. */
  userAgent?: string
  /** The label that the application gave it: see `session.describe`. */
  label?: string
  /** The id of the provider that the user signed in with. */
  provider?: string
}
