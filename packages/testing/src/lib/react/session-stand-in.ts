import type { Session } from '@siteauth/core/types'
import { SessionContext, type SessionContextValue } from '@siteauth/react'
import { createElement, type ReactElement, type ReactNode, useState } from 'react'
import { type ProductionOption, rejectProduction } from '../reject-production.ts'

/** The properties of a {@link SessionStandIn}. */
export interface SessionStandInProps extends ProductionOption {
  /** Who is signed in; null if nobody is. Left out, it is not known yet: `loading`. */
  session?: Session | null | undefined
  /** Why the session could not be read last time. */
  error?: Error | null | undefined
  /** What `update` makes of its data, as the application's callbacks would. By default, nothing changes. */
  onUpdate?: ((data: unknown) => Session | null | Promise<Session | null>) | undefined
  children?: ReactNode
}

/**
 * Stands in for `SessionProvider`: `useSession` says what the test says, at once, and no request is sent.
 *
 * @example
 * ```ts
 * import { useSession } from '@siteauth/react'
 * import { sessionOf } from '@siteauth/testing'
 * import { SessionStandIn } from '@siteauth/testing/react'
 * import { createElement, type ReactElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 * import { expect, it } from 'vitest'
 *
 * function Greeting(): ReactElement {
 *   const { data } = useSession()
 *   return createElement('p', null, `Hello, ${data?.user?.name ?? 'stranger'}`)
 * }
 *
 * it('greets people by name', () => {
 *   const session = sessionOf({ name: 'Ada' })
 *   const page = createElement(SessionStandIn, { session }, createElement(Greeting))
 *   expect(renderToString(page)).toBe('<p>Hello, Ada</p>')
 * })
 * ```
 */
export function SessionStandIn(props: SessionStandInProps): ReactElement {
  rejectProduction('SessionStandIn', props)
  const { error = null, onUpdate, children } = props
  const [updated, setUpdated] = useState<{ readonly session: Session | null }>()
  const session = updated ? updated.session : props.session

  async function update(data?: unknown): Promise<Session | null> {
    if (data === undefined || !onUpdate) return session ?? null
    const changed = await onUpdate(data)
    setUpdated({ session: changed })
    return changed
  }

  const controls = { update, refresh: async () => session ?? null, error }
  const value: SessionContextValue =
    session === undefined
      ? { ...controls, data: undefined, status: 'loading' }
      : session === null
        ? { ...controls, data: null, status: 'unauthenticated' }
        : { ...controls, data: session, status: 'authenticated' }
  return createElement(SessionContext.Provider, { value }, children)
}
