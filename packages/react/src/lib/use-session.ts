import { goToSignIn, readingOf, type SessionContextValue } from '@siteauth/client/integration'
import type { DefaultSession } from '@siteauth/core/types'
import { useContext, useEffect, useSyncExternalStore } from 'react'
import { SessionContext } from './session-context.ts'

/** How {@link useSession} treats people who are not signed in. */
export interface UseSessionOptions<R extends boolean> {
  /** Whether someone has to be signed in. Anyone who is not is sent to the sign-in page. */
  required: R
  /** What to do instead of going to the sign-in page. */
  onUnauthenticated?: () => void
}

/**
 * Who is signed in, and whether that is known yet. Re-renders only when something changes.
 *
 * `status` is `loading` until the first response and never again. A later read that fails changes
 * nothing but `error`, and is retried. With `required`, people who are not signed in are sent to
 * the sign-in page. Pass the type of the session, as here, or add to `Session` once and for all.
 *
 * @example
 * ```ts
 * import { type DefaultSession, useSession } from '@siteauth/react'
 *
 * interface MySession extends DefaultSession {
 *   role: 'reader' | 'editor'
 * }
 *
 * export function useRole(): MySession['role'] | null {
 *   const { data, status } = useSession<MySession>()
 *   return status === 'authenticated' ? data.role : null
 * }
 * ```
 */
export function useSession<R extends boolean>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
export function useSession<S extends DefaultSession>(
  options: UseSessionOptions<true>,
): SessionContextValue<true, S>
export function useSession<S extends DefaultSession>(
  options?: UseSessionOptions<boolean>,
): SessionContextValue<false, S>
export function useSession(options?: UseSessionOptions<boolean>): SessionContextValue<boolean> {
  const given = useContext(SessionContext)
  if (!given) throw new Error('Add <SessionProvider>')
  const get = () => given
  // Tests may provide a value of their own, which never changes.
  const value = useSyncExternalStore(...(readingOf.get(given) ?? [() => () => {}, get, get]))
  const isMissing = options?.required && value.status === 'unauthenticated'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, however often the function changes
  useEffect(() => {
    if (isMissing) (options.onUnauthenticated ?? goToSignIn)()
  }, [isMissing])
  return isMissing ? { ...value, status: 'loading' } : value
}
