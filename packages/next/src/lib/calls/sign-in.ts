import { beginsOnServer, signIn as engineSignIn } from '@siteauth/core/endpoints'
import { AuthError, isClientError, TooManyAttempts } from '@siteauth/core/errors'
import type {
  AuthorizationParams,
  SignInOptions as CommonOptions,
} from '@siteauth/core/integration'
import type { Settings } from '../config/settings.ts'
import { redirection } from '../current-request.ts'
import { callEngine, currentCall, type EngineCall } from './call-engine.ts'

export type { AuthorizationParams }

/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends CommonOptions {
  /** False: don't redirect, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
}

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
export type SignInArguments = [
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: AuthorizationParams,
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

/** Signs someone in, and sends them where they have to go next. */
export async function signIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<string> {
  const call = await currentCall(settings)
  const fields = fieldsOf(options)
  const to = await startSignIn(call, provider, fields, authorizationParams)
  if (fields.redirect !== false) throw redirection(call.current, to)
  return to
}

/** The same as a value: what a visitor may have done wrong is a result. */
export async function attemptSignIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<SignInResult> {
  const call = await currentCall(settings)
  try {
    const url = await startSignIn(call, provider, fieldsOf(options), authorizationParams)
    return { ok: true, status: 200, url }
  } catch (error) {
    if (!(error instanceof AuthError) || !isClientError(error)) throw error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    const refused = { ok: false, url: null, error: error.type, code } as const
    if (error instanceof TooManyAttempts) {
      return { ...refused, status: 429, retryAfter: error.retryAfter }
    }
    return { ...refused, status: error.type === 'AccessDenied' ? 403 : 401 }
  }
}

function fieldsOf(options: FormData | SignInOptions): SignInOptions {
  if (!(options instanceof FormData)) return options
  // Next adds fields of its own to the forms of actions.
  const given = [...options].filter(([name]) => !name.startsWith('$ACTION_'))
  const fields: Record<string, unknown> = Object.fromEntries(given)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}

/** Starts to sign someone in, and answers where they have to go next. */
async function startSignIn(
  call: EngineCall,
  provider: string | undefined,
  { redirect: _, redirectTo, ...fields }: SignInOptions,
  authorizationParams: AuthorizationParams,
): Promise<string> {
  const { callbackUrl } = fields
  const to = redirectTo ?? (typeof callbackUrl === 'string' ? callbackUrl : undefined)
  const wish = { provider, fields, redirectTo: to, authorizationParams }
  const { config, incoming } = call
  // The sign-in page needs no cookies, so that pages can lead there while they are rendered.
  const answer = beginsOnServer(config, wish)
    ? await callEngine(call, `signIn(${JSON.stringify(provider)})`, () =>
        engineSignIn(config, incoming, wish),
      )
    : await engineSignIn(config, incoming, wish)
  return answer.to
}
