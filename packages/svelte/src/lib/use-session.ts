import type { SessionLoading, SignedIn, SignedOut } from '@siteauth/client'
import { goToSignIn, type SessionContextValue } from '@siteauth/client/integration'
import type { DefaultSession, Session } from '@siteauth/core/types'
import { getContext, onMount } from 'svelte'
import { derived, type Readable } from 'svelte/store'
import { PROVIDED } from './provide-session.ts'

/** How {@link useSession} treats people who are not signed in. */
export interface UseSessionOptions {
  /** Whether someone has to be signed in. Anyone who is not is sent to the sign-in page. */
  required?: boolean | undefined
  /** What to do instead of going to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Who is signed in, and whether that is known yet, as a store: `$session.data`. `status` is `loading` until the first
 * response and never again; with `required`, also while nobody is signed in. Call it while a component is set up.
 *
 * @example
 * ```ts
 * // in the script of a component
 * import { useSession } from '@siteauth/svelte'
 *
 * const session = useSession()
 * ```
 */
export function useSession<S extends DefaultSession = Session>(
  options: UseSessionOptions = {},
): Readable<SessionContextValue<false, S>> {
  const session = getContext<Readable<SessionContextValue<false, S>> | undefined>(PROVIDED)
  if (!session) throw new Error('Call provideSession() in a component around this one')
  if (!options.required) return session
  onMount(() => {
    let isMissing = false
    return session.subscribe(({ status }) => {
      const wasMissing = isMissing
      isMissing = status === 'unauthenticated'
      if (isMissing && !wasMissing) (options.onUnauthenticated ?? goToSignIn)()
    })
  })
  return derived(session, asRequired)
}

function asRequired<S>(
  value: SignedIn<S> | SignedOut<S> | SessionLoading<S>,
): SignedIn<S> | SessionLoading<S> {
  return value.status === 'unauthenticated' ? { ...value, status: 'loading' } : value
}
