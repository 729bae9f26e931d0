import {
  createSessionStore,
  type EndpointsOptions,
  type SessionContextValue,
  type SessionStore,
  type StoreOptions,
} from '@siteauth/client/integration'
import type { Session } from '@siteauth/core/types'
import {
  type App,
  effectScope,
  type InjectionKey,
  type MaybeRefOrGetter,
  type Plugin,
  toValue,
  watch,
} from 'vue'

/** What the plugin is told. */
export interface SiteAuthOptions extends EndpointsOptions, Omit<StoreOptions, 'session'> {
  /**
   * The session as the server rendered it: null if no one is signed in. There is then no initial request. Later values
   * of a ref or a getter are followed.
   */
  readonly session?: MaybeRefOrGetter<Session | null | undefined>
}

/** What components find of the plugin. */
export interface Provided {
  readonly store: SessionStore
  /** What was known when the page was rendered. */
  readonly rendered: SessionContextValue
}

/** Where components find it. */
export const PROVIDED: InjectionKey<Provided> = Symbol('siteauth')

/**
 * The plugin that tells components who is signed in, through `useSession`. It follows the server, other tabs, and this
 * package's functions. What it knows belongs to the application that uses it: on a server, make one for each request,
 * as Vue asks you to anyway.
 *
 * @example
 * ```ts
 * import { siteAuth } from '@siteauth/vue'
 * import { type Component, createSSRApp } from 'vue'
 *
 * export function createPage(root: Component, session?: { expires: string } | null) {
 *   return createSSRApp(root).use(siteAuth({ basePath: '/auth', session }))
 * }
 * ```
 */
export function siteAuth(options: SiteAuthOptions = {}): Plugin<[]> {
  return { install: app => install(app, options) }
}

// The store is made here and not above: one plugin may be used by many applications, and on a server each is somebody
// else's.
function install(app: App, options: SiteAuthOptions): void {
  const current = (): EndpointsOptions & StoreOptions => ({
    ...options,
    session: toValue(options.session),
  })
  const store = createSessionStore(current())
  app.provide(PROVIDED, { store, rendered: store.get() })
  // A server only renders what it was given.
  if (typeof document === 'undefined') return
  const scope = effectScope(true)
  scope.run(() => watch(current, store.follow, { flush: 'sync' }))
  const stop = store.start()
  app.onUnmount(() => {
    scope.stop()
    stop()
  })
}
