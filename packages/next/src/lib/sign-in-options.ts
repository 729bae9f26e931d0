/** How somebody signs in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: do not go anywhere, only set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** Where to go then, a path. Defaults to the page that the visitor is on. */
  redirectTo?: string | undefined
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  remember?: boolean | undefined
}

/** Further parameters for the authorization request of an OAuth provider. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/** How an attempt to sign in went. Can be returned from a server action as it is. */
export type SignInResult =
  | {
      readonly ok: true
      readonly status: 200
      /** Where to go next: to the provider, or to the page to return to. */
      readonly url: string
      readonly error?: undefined
      readonly code?: undefined
    }
  | {
      readonly ok: false
      readonly status: 401 | 403
      readonly url: null
      /** What went wrong, such as `CredentialsSignin`. */
      readonly error: string
      /** The `code` of a `CredentialsSignin`. */
      readonly code: string | undefined
    }

/** What the functions that sign in are given. */
export type SignInArguments = [
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: AuthorizationParams,
]
