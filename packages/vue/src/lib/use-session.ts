import { goToSignIn, type SessionContextValue } from '@siteauth/client/integration'
import type { DefaultSession, Session } from '@siteauth/core/types'
import {
  type ComputedRef,
  computed,
  getCurrentInstance,
  inject,
  onActivated,
  onDeactivated,
  onMounted,
  onScopeDispose,
  type ShallowRef,
  shallowRef,
  watch,
} from 'vue'
import { PROVIDED, type Provided } from './site-auth.ts'

/** How {@link useSession} treats people who are not signed in. */
export interface UseSessionOptions {
  /** Whether someone has to be signed in. Anyone who is not is sent to the sign-in page. */
  required?: boolean | undefined
  /** What to do instead of going to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/** What {@link useSession} returns. */
export interface UsedSession<S = Session> {
  /** The session; null if no one is signed in, undefined until that is known. */
  readonly data: ComputedRef<S | null | undefined>
  /** `loading` until it is known who is signed in, and never again; with `required`, also while nobody is. */
  readonly status: ComputedRef<SessionContextValue['status']>
  /** Why the session could not be read last time, during retries; otherwise null. */
  readonly error: ComputedRef<Error | null>
  /** Asks the server who is signed in. Rejects if there is no response. */
  readonly refresh: () => Promise<S | null>
  /**
   * Passes data to the application's `jwt` and `session` callbacks, with `trigger: 'update'`, and resolves with the
   * resulting session. Rejects on failure.
   */
  readonly update: (data?: unknown) => Promise<S | null>
}

/**
 * Who is signed in, and whether that is known yet, as refs. Call it in `setup`, in an application with the plugin.
 *
 * @example
 * ```ts
 * import { signIn, signOut, useSession } from '@siteauth/vue'
 * import { defineComponent, h } from 'vue'
 *
 * export const Who = defineComponent(() => {
 *   const { data, status } = useSession()
 *   return () =>
 *     status.value === 'authenticated'
 *       ? h('button', { onClick: () => signOut() }, `Sign out ${data.value?.user?.name}`)
 *       : h('button', { onClick: () => signIn() }, 'Sign in')
 * })
 * ```
 */
export function useSession<S extends DefaultSession = Session>(
  options: UseSessionOptions = {},
): UsedSession<S> {
  const provided = inject(PROVIDED, null)
  if (!provided) throw new Error('Add app.use(siteAuth())')
  const context = follow(provided)
  const isMissing = computed(
    () => options.required === true && context.value.status === 'unauthenticated',
  )
  if (options.required) whenMissing(isMissing, options.onUnauthenticated ?? goToSignIn)
  const { refresh, update } = provided.store.get() as SessionContextValue<false, S> // as the application says
  return {
    data: computed(() => context.value.data as S | null | undefined), // as the application says
    status: computed(() => (isMissing.value ? 'loading' : context.value.status)),
    error: computed(() => context.value.error),
    refresh,
    update,
  }
}

/**
 * What the store knows. A component that is made alive on a page from the server begins with what is there, though the
 * store may know more by then: such components may arrive late.
 */
function follow({ store, rendered }: Provided): Readonly<ShallowRef<SessionContextValue>> {
  const isHydrating = getCurrentInstance()?.vnode.el != null
  const context = shallowRef(isHydrating ? rendered : store.get())
  let stop = () => {}
  const begin = () => {
    const take = () => {
      context.value = store.get()
    }
    stop = store.subscribe(take)
    take()
  }
  onScopeDispose(() => stop(), true)
  if (isHydrating) onMounted(begin)
  else begin()
  return context
}

/**
 * On a page only: a server that renders sends nobody anywhere. Nor does a component that is merely kept alive, from a
 * page that it is not on.
 */
function whenMissing(isMissing: ComputedRef<boolean>, act: () => void): void {
  const isSeen = shallowRef(true)
  const see = (value: boolean) => () => {
    isSeen.value = value
  }
  onActivated(see(true))
  onDeactivated(see(false))
  const isDue = () => isMissing.value && isSeen.value
  onMounted(() => watch(isDue, due => due && act(), { immediate: true }))
}
