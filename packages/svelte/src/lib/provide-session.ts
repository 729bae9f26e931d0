import {
  createSessionStore,
  type SessionContextValue,
  type SessionStore,
  type SessionStoreOptions,
} from '@siteauth/client/integration'
import { onDestroy, setContext } from 'svelte'
import type { Readable } from 'svelte/store'

/** Where components find what their provider knows. */
export const PROVIDED: unique symbol = Symbol('siteauth')

/** Who is signed in, as a store of Svelte. */
export interface ProvidedSession extends Readable<SessionContextValue> {
  /** Takes over another `session` or other options, such as what a server has rendered since. */
  readonly follow: SessionStore['follow']
}

/**
 * Tells the component that calls it, and those inside it, who is signed in, through `useSession`. It follows the server,
 * other tabs, and this package's functions. Call it once, in the outermost layout. What it knows is in the context of
 * that component: a server has one for each visitor.
 *
 * @example
 * ```ts
 * // in the script of a component, where `data` comes from the server
 * import { provideSession } from '@siteauth/svelte'
 *
 * declare const data: { session: { expires: string } | null }
 *
 * const session = provideSession({ basePath: '/auth', session: data.session })
 * ```
 */
export function provideSession(options: SessionStoreOptions = {}): ProvidedSession {
  const store = createSessionStore(options)
  const provided: ProvidedSession = {
    subscribe(run) {
      run(store.get())
      return store.subscribe(() => run(store.get()))
    },
    follow: store.follow,
  }
  setContext(PROVIDED, provided)
  // A server only renders what it was given. On a page, this is before what components inside do when they are mounted:
  // they may call functions that ask for this store.
  if (typeof document !== 'undefined') onDestroy(store.start())
  return provided
}
