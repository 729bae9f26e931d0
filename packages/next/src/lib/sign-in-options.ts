/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: don't redirect, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
}

/** More parameters for an OAuth provider's authorization request. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/** The outcome of an attempt to sign in. Can be returned from a server action as it is. */
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
