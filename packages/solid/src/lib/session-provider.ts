import {
  createSessionStore,
  type SessionContextValue,
  type SessionStore,
  type SessionStoreOptions,
} from '@siteauth/client/integration'
import {
  type Context,
  createComponent,
  createContext,
  createEffect,
  type JSX,
  onCleanup,
  onMount,
} from 'solid-js'

/** The properties of a {@link SessionProvider}. */
export interface SessionProviderProps extends SessionStoreOptions {
  readonly children?: JSX.Element
}

/** What components find of their provider. */
export interface Provided {
  readonly store: SessionStore
  /** What was known when the page was rendered. */
  readonly rendered: SessionContextValue
}

/** Where components find it. */
export const PROVIDED: Context<Provided | undefined> = /* @__PURE__ */ createContext<Provided>()

/**
 * Tells the components inside it who is signed in, through `useSession`. It follows the server, other tabs, and this
 * package's functions. What it knows belongs to the page that is rendered: a server has one for each visitor.
 *
 * @example
 * ```ts
 * import { SessionProvider } from '@siteauth/solid'
 * import { createComponent, type JSX } from 'solid-js'
 *
 * export function App(props: { children: JSX.Element }): JSX.Element {
 *   return createComponent(SessionProvider, {
 *     basePath: '/auth',
 *     get children() {
 *       return props.children
 *     },
 *   })
 * }
 * ```
 */
export function SessionProvider(props: SessionProviderProps): JSX.Element {
  const store = createSessionStore(optionsIn(props))
  const value = { store, rendered: store.get() }
  // Neither runs on a server. Both run before those of the components below, which may call functions that ask for
  // this provider.
  createEffect(() => store.follow(optionsIn(props)))
  onMount(() => onCleanup(store.start()))
  return createComponent(PROVIDED.Provider, {
    value,
    get children() {
      return props.children
    },
  })
}

/** The properties as they are now. Each is read, so that Solid knows what is followed. */
function optionsIn(props: SessionProviderProps): SessionStoreOptions {
  const { baseUrl, basePath, session, onSessionChange } = props
  const { refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props
  return {
    ...{ baseUrl, basePath, session, onSessionChange },
    ...{ refetchInterval, refetchOnWindowFocus, refetchWhenOffline },
  }
}
