import type { ProviderId } from '@siteauth/core/providers'
import { fetchJson, type Outcome, postForm } from './post-form.ts'

/** Where to go afterwards, and any fields the provider asks for. */
export interface ClientSignInOptions<Redirect extends boolean = boolean>
  extends Record<string, unknown> {
  /** A path or a URL. Defaults to this page. */
  redirectTo?: string
  /** @deprecated The earlier name of `redirectTo`. */
  callbackUrl?: string
  /** `false` to stay on this page and get the outcome as a value. */
  redirect?: Redirect
}

/** Signs in. See `signIn`. */
export type ClientSignIn = <Redirect extends boolean = true>(
  provider?: ProviderId,
  options?: ClientSignInOptions<Redirect>,
  authorizationParams?: ConstructorParameters<typeof URLSearchParams>[0],
) => Promise<Redirect extends false ? Outcome : void>

/** Signs out. See `signOut`. */
export type ClientSignOut = <Redirect extends boolean = true>(
  options?: ClientSignInOptions<Redirect>,
) => Promise<Redirect extends false ? Outcome : void>

export function createSignIn(base: string): ClientSignIn {
  const signIn: (...words: Parameters<ClientSignIn>) => Promise<Outcome | undefined> = async (
    id,
    options = {},
    params,
  ) => {
    const providers = id === undefined ? {} : await fetchJson<Providers>(`${base}/providers`)
    const provider = Object.hasOwn(providers, id ?? '') ? providers[id ?? ''] : undefined
    if (provider) {
      const action = provider.type === 'credentials' ? 'callback' : 'signin'
      const path = `/${action}/${encodeURIComponent(provider.id)}?${new URLSearchParams(params)}`
      return submit(base, path, options)
    }
    if (id !== undefined && options.redirect === false) {
      return { ok: false, error: 'InvalidProvider', code: undefined, status: 404, url: null }
    }
    // The visitor chooses there.
    const query = new URLSearchParams({ callbackUrl: targetOf(options) })
    location.href = `${base}/signin?${query}`
    return undefined
  }
  // Sound because there is an outcome exactly where the page is not left.
  return signIn as ClientSignIn
}

export function createSignOut(base: string): ClientSignOut {
  // As above.
  return ((options = {}) => submit(base, '/signout', options)) as ClientSignOut
}

type Providers = Readonly<Record<string, { readonly id: string; readonly type: string }>>

async function submit(
  base: string,
  path: string,
  options: ClientSignInOptions,
): Promise<Outcome | undefined> {
  const { redirect = true, redirectTo: _, ...fields } = options
  const outcome = await postForm(base, path, { ...fields, callbackUrl: targetOf(options) })
  if (!redirect) return outcome
  if (!outcome.to) throw new Error(outcome.error)
  location.href = outcome.to
  // To another place on the same page, browsers go without loading it.
  if (outcome.to.includes('#')) location.reload()
  return undefined
}

/** Where the visitor wants to be in the end. */
function targetOf({ redirectTo, callbackUrl }: ClientSignInOptions): string {
  return redirectTo ?? callbackUrl ?? location.href
}
