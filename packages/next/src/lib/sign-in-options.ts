/** How somebody signs in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: do not go anywhere, only set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** Where to go then, a path. Defaults to the page that the visitor is on. */
  redirectTo?: string | undefined
}

/** Further parameters for the authorization request of an OAuth provider. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]
