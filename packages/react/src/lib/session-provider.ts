import {
  createSessionStore,
  type EndpointsOptions,
  type StoreOptions,
} from '@siteauth/client/integration'
import {
  createElement,
  type ReactElement,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { SessionContext } from './session-context.ts'

/** The properties of a {@link SessionProvider}. */
export interface SessionProviderProps extends EndpointsOptions, StoreOptions {
  children?: ReactNode
}

// React 18 has something to say about layout effects on a server. There is nothing to do there.
const useEarlyEffect = globalThis.window ? useLayoutEffect : useEffect

/**
 * Tells the components inside it who is signed in, through `useSession`. It follows the server,
 * other tabs, and this package's functions.
 *
 * @example
 * ```ts
 * import { SessionProvider } from '@siteauth/react'
 * import { createElement, type ReactElement } from 'react'
 *
 * export function App({ page }: { page: ReactElement }): ReactElement {
 *   return createElement(SessionProvider, { basePath: '/auth' }, page)
 * }
 * ```
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const [store] = useState(() => createSessionStore(props))
  const [value, setValue] = useState(store.get)
  // For whoever reads the context itself: `useSession` is told at once. A transition waits for parts of the
  // page that have yet to arrive. React throws away what the server rendered of them otherwise.
  useEarlyEffect(() => store.subscribe(() => startTransition(() => setValue(store.get))), [store])
  // Before effects of the components below, which may call functions that ask for this provider.
  useEarlyEffect(() => store.follow(props))
  useEarlyEffect(store.start, [store])
  return createElement(SessionContext.Provider, { value }, props.children)
}
