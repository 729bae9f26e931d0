import {
  type SessionList,
  type SessionListControls,
  sessionListControls,
} from '@siteauth/client/integration'
import { type ListedSession, sessions } from '@siteauth/client/sessions'
import { onMount } from 'svelte'
import { derived, type Readable, writable } from 'svelte/store'

export * from '@siteauth/client/sessions'

/** What {@link useSessions} returns. */
export interface SessionListState extends SessionListControls {
  /** Undefined before the first answer; empty where nobody is signed in. */
  readonly data: Readable<SessionList['data']>
  /** Why they could not be read the last time, or null. `data` is then what was known before. */
  readonly error: Readable<SessionList['error']>
}

/**
 * The sessions of whoever is signed in, and functions that end them. When this tab's own is ended, the page
 * knows that nobody is signed in.
 *
 * @param initial the list as the server rendered it: nothing is then asked for at the beginning
 *
 * @example
 * ```ts
 * import { useSessions } from '@siteauth/svelte/sessions'
 *
 * const { data, end, endOthers } = useSessions()
 * ```
 */
export function useSessions(initial?: readonly ListedSession[]): SessionListState {
  const list = writable<SessionList>({ data: initial, error: null })
  const controls = sessionListControls(sessions, list.update)
  onMount(() => {
    if (initial === undefined) void controls.refresh()
  })
  return {
    ...controls,
    data: derived(list, ({ data }) => data),
    error: derived(list, ({ error }) => error),
  }
}
