import type { FindEndpoints } from './endpoints.ts'
import { type Destination, submit } from './submit.ts'

/** How to sign out. */
export interface SignOutParams<RedirectType extends boolean = boolean> extends Destination {
  redirect?: RedirectType
}

/** The outcome of signing out, with `redirect: false`. */
export interface SignOutResponse {
  /** Where to go next. */
  url: string
}

/** Signs out. See `signOut`. */
export type SignOut = <RedirectType extends boolean = true>(
  options?: SignOutParams<RedirectType>,
) => Promise<RedirectType extends false ? SignOutResponse : void>

/** Makes a `signOut` for the endpoints at some place. */
export function createSignOut(findEndpoints: FindEndpoints): SignOut {
  // Sound because there is an outcome exactly where the page is not left.
  return options => signOutAt(findEndpoints(), options) as Promise<never>
}

async function signOutAt(
  base: string,
  options: SignOutParams = {},
): Promise<SignOutResponse | undefined> {
  const outcome = await submit(base, 'signout', { ...options })
  if (!outcome) return undefined
  const { url, error } = outcome
  if (url === null) throw new Error(`Signing out failed: ${error}`)
  return { url }
}
