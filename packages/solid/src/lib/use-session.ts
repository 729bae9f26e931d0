import { goToSignIn, type SessionContextValue } from '@siteauth/client/integration'
import type { DefaultSession, Session } from '@siteauth/core/types'
import {
  type Accessor,
  createEffect,
  createMemo,
  createSignal,
  onCleanup,
  onMount,
  sharedConfig,
  useContext,
} from 'solid-js'
import { PROVIDED, type Provided } from './session-provider.ts'

/** How {@link useSession} treats people who are not signed in. */
export interface UseSessionOptions {
  /** Whether someone has to be signed in. Anyone who is not is sent to the sign-in page. */
  required?: boolean | undefined
  /** What to do instead of going to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Who is signed in, and whether that is known yet. `status` is `loading` until the first response and never again;
 * with `required`, also while nobody is signed in.
 *
 * @example
 * ```ts
 * import { useSession } from '@siteauth/solid'
 *
 * export function useName(): () => string {
 *   const session = useSession()
 *   return () => session().data?.user?.name ?? 'stranger'
 * }
 * ```
 */
export function useSession<S extends DefaultSession = Session>(
  options: UseSessionOptions = {},
): Accessor<SessionContextValue<false, S>> {
  const provided = useContext(PROVIDED)
  if (!provided) throw new Error('Add <SessionProvider>')
  const context = follow(provided) as Accessor<SessionContextValue<false, S>> // as the application says
  if (!options.required) return context
  // Once, however often something else changes.
  const isMissing = createMemo(() => context().status === 'unauthenticated')
  createEffect(() => {
    if (isMissing()) (options.onUnauthenticated ?? goToSignIn)()
  })
  return () => {
    const value = context()
    return value.status === 'unauthenticated' ? { ...value, status: 'loading' } : value
  }
}

/**
 * What the store knows. A component that is made alive on a page from the server begins with what is there, though the
 * store may know more by then: such components may arrive late, and Solid takes what it finds for what it would render.
 */
function follow({ store, rendered }: Provided): Accessor<SessionContextValue> {
  const [context, setContext] = createSignal(sharedConfig.context ? rendered : store.get())
  const take = () => void setContext(store.get())
  onMount(() => {
    onCleanup(store.subscribe(take))
    take()
  })
  return context
}
