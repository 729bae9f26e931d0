import { serverCalls } from './load-later.ts'
import type { Settings } from './settings.ts'
import type {
  AuthorizationParams,
  SignInArguments,
  SignInOptions,
  SignInResult,
} from './sign-in-options.ts'

/** Signs people in from the server. */
export interface SignIn {
  /**
   * In a server action or a route handler. Sends the visitor to a provider, to the sign-in page if
   * none is named, and after credentials to `redirectTo`. With `redirect: false`, resolves with the
   * URL instead. Rejects with an `AuthError` if the sign-in fails.
   *
   * @example
   * ```ts
   * import SiteAuth from '@siteauth/next'
   *
   * const { signIn } = SiteAuth({ providers: [] })
   *
   * export async function signInWithGitHub(): Promise<void> {
   *   'use server'
   *   await signIn('github', { redirectTo: '/account' })
   * }
   * ```
   */
  <Redirect extends boolean = true>(
    provider?: string,
    options?: FormData | (SignInOptions & { redirect?: Redirect | undefined }),
    authorizationParams?: AuthorizationParams,
  ): Promise<Redirect extends false ? string : never>
  /**
   * The same as a value: does not redirect, and a wrong password is a result, not an exception.
   * Only rejects for server errors.
   *
   * @example
   * ```ts
   * import SiteAuth from '@siteauth/next'
   * import { redirect } from 'next/navigation'
   *
   * const { signIn } = SiteAuth({ providers: [] })
   *
   * export async function login(_before: string | undefined, form: FormData): Promise<string> {
   *   'use server'
   *   const { ok, url } = await signIn.attempt('credentials', form)
   *   if (ok) redirect(url)
   *   return 'Wrong name or password.'
   * }
   * ```
   */
  attempt(
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult>
}

/** Makes the function for one application. */
export function createSignIn(settings: Settings): SignIn {
  const signIn = async (...given: SignInArguments) =>
    serverCalls(calls => calls.signIn(settings, ...given))
  const attempt = async (...given: SignInArguments) =>
    serverCalls(calls => calls.attemptSignIn(settings, ...given))
  // With `redirect: false` it resolves with the URL; else the redirect has ended the action by then.
  return Object.assign(signIn as SignIn, { attempt })
}
