/** The values of `error` that the error page knows. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification'

/** The values of `error` that the sign-in page knows. */
export type SignInPageErrorParam =
  | 'Signin'
  | 'OAuthSignin'
  | 'OAuthCallbackError'
  | 'OAuthCreateAccount'
  | 'EmailCreateAccount'
  | 'Callback'
  | 'OAuthAccountNotLinked'
  | 'EmailSignin'
  | 'CredentialsSignin'
  | 'SessionRequired'

/** A version such as `v9.0.1`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** The response of `GET webauthn-options`. */
export interface WebAuthnOptionsResponseBody {
  action: 'authenticate' | 'register'
  /** The options to pass to the browser, as JSON. */
  options: Record<string, unknown>
}
