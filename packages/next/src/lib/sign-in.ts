import { AuthError, isClientError } from '@siteauth/core/errors'
import { redirection } from './next-runtime.ts'
import type { Settings } from './settings.ts'
import type { AuthorizationParams, SignInOptions } from './sign-in-options.ts'

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

/** Signs people in from the server. */
export interface SignIn {
  /**
   * In a server action or a route handler. Sends the visitor to a provider, to the sign-in page if none
   * is named, and after credentials to `redirectTo`. With `redirect: false` resolves with the URL
   * instead. Rejects with an `AuthError` where the sign-in fails.
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
   * The same as a value: goes nowhere, and a wrong password is a result and not an exception. Rejects
   * only for faults of the server.
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
   *   return 'That was not right.'
   * }
   * ```
   */
  attempt(
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult>
}

const flows = () => import('./start-sign-in.ts')

/** Makes the function for one application. */
export function createSignIn(settings: Settings): SignIn {
  async function signIn(
    provider?: string,
    options: FormData | SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<string> {
    const { startSignIn, ownRequest } = await flows()
    const own = await ownRequest(settings)
    const fields = fieldsOf(options)
    const to = await startSignIn(own, provider, fields, authorizationParams)
    if (fields.redirect !== false) throw redirection(own.current, to)
    return to
  }

  async function attempt(
    provider?: string,
    options: FormData | SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult> {
    const { startSignIn, ownRequest } = await flows()
    const own = await ownRequest(settings)
    try {
      const url = await startSignIn(own, provider, fieldsOf(options), authorizationParams)
      return { ok: true, status: 200, url }
    } catch (error) {
      if (!(error instanceof AuthError) || !isClientError(error)) throw error
      const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
      const status = error.type === 'AccessDenied' ? 403 : 401
      return { ok: false, status, url: null, error: error.type, code }
    }
  }

  // With `redirect: false` it resolves with the URL; else the redirect has ended the action by then.
  return Object.assign(signIn as SignIn, { attempt })
}

function fieldsOf(options: FormData | SignInOptions): SignInOptions {
  if (!(options instanceof FormData)) return options
  // Next adds fields of its own to the forms of actions.
  const given = [...options].filter(([name]) => !name.startsWith('$ACTION_'))
  const fields: Record<string, unknown> = Object.fromEntries(given)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}
