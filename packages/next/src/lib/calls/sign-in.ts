import { AuthError, isClientError, TooManyAttempts } from '@siteauth/core/errors'
import type { AuthorizationParams, SignInOptions } from '@siteauth/core/integration'
import { runCall } from '@siteauth/core/internal/endpoints'
import type { Settings } from '../config/settings.ts'
import { currentCall } from './current-call.ts'

export type { AuthorizationParams, SignInOptions }

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
      /** 401 for a wrong password, 403 if access was denied, 429 after too many attempts. */
      readonly status: 401 | 403 | 429
      readonly url: null
      /** What went wrong, such as `CredentialsSignin`. */
      readonly error: string
      /** The `code` of a `CredentialsSignin`. */
      readonly code: string | undefined
      /** After too many attempts: in how many seconds to try again. */
      readonly retryAfter?: number
    }

/** What the functions that sign in are given. */
export type SignInArguments = readonly [
  provider?: string | undefined,
  options?: FormData | SignInOptions | undefined,
  authorizationParams?: AuthorizationParams | undefined,
]

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

/** Signs someone in, with a result: mistakes of the visitor are no exceptions. */
export async function attemptSignIn(
  settings: Settings,
  args: SignInArguments,
): Promise<SignInResult> {
  const call = await currentCall(settings, 'signIn')
  try {
    const url = await runCall('signIn', call, withDestination(args))
    return { ok: true, status: 200, url: String(url) }
  } catch (error) {
    if (!(error instanceof AuthError) || !isClientError(error)) throw error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    const failure = { ok: false, url: null, error: error.type, code } as const
    if (error instanceof TooManyAttempts) {
      return { ...failure, status: 429, retryAfter: error.retryAfter }
    }
    return { ...failure, status: error.type === 'AccessDenied' ? 403 : 401 }
  }
}

/**
 * Makes `redirectTo` of a `callbackUrl`, which forms of sign-in pages send: it may be a path as the application knows it,
 * without the `basePath` of Next.
 */
export function withDestination([provider, options, params]: SignInArguments): SignInArguments {
  const isForm = options instanceof FormData
  const { redirectTo, callbackUrl } = isForm ? Object.fromEntries(options) : { ...options }
  if (typeof callbackUrl !== 'string' || redirectTo !== undefined) {
    return [provider, options, params]
  }
  if (!isForm) return [provider, { ...options, redirectTo: callbackUrl }, params]
  const form = new FormData()
  for (const [name, value] of [...options, ['redirectTo', callbackUrl] as const]) {
    form.append(name, value)
  }
  return [provider, form, params]
}
