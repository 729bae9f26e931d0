import type { ProviderId } from '@siteauth/core/providers'
import type { FindEndpoints } from './endpoints.ts'
import { readProviders } from './read.ts'
import { type Destination, goTo, outcomeOf, type SubmitResult, submit, targetOf } from './submit.ts'

/** How to sign in: where to go afterwards, and any fields the provider asks for. */
export interface SignInOptions<RedirectType extends boolean = boolean>
  extends Destination,
    Record<string, unknown> {
  redirect?: RedirectType
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  remember?: boolean
}

/** The outcome of signing in, with `redirect: false`. */
export interface SignInResponse extends SubmitResult {}

/** Parameters for the provider's authorization page, such as `login_hint`. */
export type SignInAuthorizationParams =
  | string
  | string[][]
  | Record<string, string>
  | URLSearchParams

/** The id of a provider. */
export type SignInProvider = ProviderId

/** Signs in. See `signIn`. */
export type SignIn = <RedirectType extends boolean = true>(
  provider?: SignInProvider,
  options?: SignInOptions<RedirectType>,
  authorizationParams?: SignInAuthorizationParams,
) => Promise<RedirectType extends false ? SignInResponse : void>

/** Makes a `signIn` for the endpoints at some place. */
export function createSignIn(findEndpoints: FindEndpoints): SignIn {
  // Sound because there is an outcome exactly where the page is not left.
  return (...words) => signInAt(findEndpoints(), ...words) as Promise<never>
}

async function signInAt(
  base: string,
  id: SignInProvider = '',
  options: SignInOptions = {},
  params?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const providers = id ? await readProviders(base) : {}
  // Nothing else that an object has, such as a constructor, has a type.
  const type = providers?.[id]?.type
  if (type) {
    if (type === 'webauthn') throw new Error('Use /webauthn')
    const action = type === 'credentials' ? 'callback' : 'signin'
    const path = `${action}/${encodeURIComponent(id)}?${new URLSearchParams(params)}` as const
    return submit(base, path, options)
  }
  if (options.redirect === false) {
    return providers ? outcomeOf('InvalidProvider', 404) : outcomeOf('NetworkError', 0)
  }
  // The visitor chooses there.
  if (!providers) return goTo(`${base}/error`)
  return goTo(`${base}/signin?${new URLSearchParams({ callbackUrl: targetOf(options) })}`)
}
