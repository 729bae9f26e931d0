import type { SignInWish } from './calls.ts'

/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  remember?: boolean | undefined
}

/** More parameters for an OAuth provider's authorization request. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/** What an application says of a sign-in, in the words of its framework, as the engine takes it. */
export function signInWish(
  provider: string | undefined,
  options: SignInOptions | FormData = {},
  authorizationParams?: AuthorizationParams,
): SignInWish {
  // A form says the same by its fields, all of which are texts.
  const said: Record<string, unknown> =
    options instanceof FormData ? Object.fromEntries(options) : options
  const { redirectTo, ...fields } = said
  return {
    provider,
    fields,
    redirectTo: typeof redirectTo === 'string' ? redirectTo : undefined,
    authorizationParams,
  }
}
