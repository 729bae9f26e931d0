import { AuthError, isClientError } from '@siteauth/core/errors'
import { pageUrl } from '@siteauth/core/integration'
import { addressedBy, originOf } from './addressed.ts'
import { redirection } from './next-runtime.ts'
import { type OwnRequest, ownCall, ownRequest } from './own-call.ts'
import { returnTo } from './return-to.ts'
import type { Settings } from './settings.ts'

/** How somebody signs in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: do not go anywhere, only set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** Where to go then, a path. Defaults to the page that the visitor is on. */
  redirectTo?: string | undefined
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

/** Makes the function for one application. */
export function createSignIn(settings: Settings): SignIn {
  async function signIn(
    provider?: string,
    options: FormData | SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<string> {
    const own = await ownRequest(settings)
    const fields = fieldsOf(options)
    const to = await start(own, provider, fields, authorizationParams)
    if (fields.redirect !== false) throw redirection(own.current, to)
    return to
  }

  async function attempt(
    provider?: string,
    options: FormData | SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult> {
    const own = await ownRequest(settings)
    try {
      const url = await start(own, provider, fieldsOf(options), authorizationParams)
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

async function start(
  own: OwnRequest,
  provider: string | undefined,
  { redirect: _, redirectTo, ...fields }: SignInOptions,
  authorizationParams: AuthorizationParams,
): Promise<string> {
  const callbackUrl = returnTo(own, redirectTo ?? fields['callbackUrl'])
  const { providers, pages, paths } = own.config
  const type = provider === undefined ? undefined : providers.get(provider)?.type
  if (provider === undefined || type === undefined || type === 'webauthn') {
    const origin = originOf(own.resolution, addressedBy(own.current.headers))
    if (origin !== undefined) return pageUrl({ pages, paths }, origin, 'signIn', { callbackUrl })
  }
  const query = new URLSearchParams(authorizationParams).toString()
  const action = type === 'credentials' ? 'callback' : 'signin'
  const path = provider === undefined ? action : `${action}/${encodeURIComponent(provider)}`
  const answer = await ownCall(own, query ? `${path}?${query}` : path, { ...fields, callbackUrl })
  if (answer.kind !== 'redirect') throw new TypeError(`POST ${path} must end in a redirect`)
  return answer.to
}

function fieldsOf(options: FormData | SignInOptions): SignInOptions {
  if (!(options instanceof FormData)) return options
  // Next adds fields of its own to the forms of actions.
  const given = [...options].filter(([name]) => !name.startsWith('$ACTION_'))
  const fields: Record<string, unknown> = Object.fromEntries(given)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}
