/** How to sign someone out. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** False: don't redirect, just remove the cookie and resolve with the URL to go to. */
  redirect?: Redirect | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
}

/**
 * Signs the visitor out, in a server action or a route handler: ends the session and removes its
 * cookie.
 */
export type SignOut = <Redirect extends boolean = true>(
  options?: SignOutOptions<Redirect>,
) => Promise<Redirect extends false ? string : never>
