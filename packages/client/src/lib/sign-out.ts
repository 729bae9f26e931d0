import { readMarker } from './change-marker.ts'
import type { FindEndpoints } from './endpoints.ts'
import { tellProviders } from './page-event.ts'
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
  const outcome = await submit(base, 'signout', { ...options }, ({ ok }) => {
    // Providers ask who is signed in by now. Until they are told, and if they never are, it is nobody.
    if (ok && options.redirect === false) {
      const marker = readMarker(globalThis.document)
      // Earlier than now, or this would be answer enough.
      tellProviders({ base, data: { session: null, at: Date.now() - 1, marker } })
    }
  })
  if (!outcome) return undefined
  const { url, error } = outcome
  if (url === null) throw new Error(`Signing out failed: ${error}`)
  return { url }
}
