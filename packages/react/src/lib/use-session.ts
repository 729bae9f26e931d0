import type { DefaultSession } from '@siteauth/core/types'
import { useContext, useEffect, useSyncExternalStore } from 'react'
import { endpointsOfPage } from './endpoints.ts'
import { readingOf } from './reading-of.ts'
import { SessionContext, type SessionContextValue } from './session-context.ts'
import { goTo } from './submit.ts'

/** How {@link useSession} deals with people who are not signed in. */
export interface UseSessionOptions<R extends boolean> {
  /** Whether somebody has to be signed in. Who is not is sent to the sign-in page. */
  required: R
  /** What to do instead of going to the sign-in page. */
  onUnauthenticated?: () => void
}

/**
 * Who is signed in, and how sure that is. Renders anew only when something changes.
 *
 * `status` is `loading` until the first answer and never again. A read that fails later changes
 * nothing but `error`, and is tried again. With `required`, people who are not signed in are sent to
 * the sign-in page. The type of the session may be given, as here, or added to `Session` once for all.
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

function goToSignIn(): void {
  const callbackUrl = location.href
  goTo(
    `${endpointsOfPage()}/signin?${new URLSearchParams({ callbackUrl, error: 'SessionRequired' })}`,
  )
}
