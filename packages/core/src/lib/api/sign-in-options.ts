import type { SignInRequest } from './calls.ts'
import { fieldsOf } from './fields-of.ts'

/** Where calls that redirect send the visitor. */
export interface RedirectOptions {
  /** A path of the application, or a URL. Defaults to the page that the visitor is on. */
  readonly redirectTo?: string | undefined
  /**
   * In Express and Next: false to set the cookies and resolve with the URL, rather than redirect. Other frameworks
   * resolve with a response, which the handler returns.
   */
  readonly redirect?: boolean | undefined
}

/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends RedirectOptions, Record<string, unknown> {
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  readonly remember?: boolean | undefined
}

/** Options of `signOut`. */
export interface SignOutOptions extends RedirectOptions {}

/** More parameters for an OAuth provider's authorization request. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/** Converts the arguments of an application's `signIn` to what the engine accepts. */
export function toSignInRequest(
  provider: string | undefined,
  options?: SignInOptions | FormData,
  authorizationParams?: AuthorizationParams,
): SignInRequest {
  const { redirectTo, ...fields } = fieldsOf<SignInOptions>(options)
  return {
    provider,
    fields,
    redirectTo: typeof redirectTo === 'string' ? redirectTo : undefined,
    authorizationParams,
  }
}
