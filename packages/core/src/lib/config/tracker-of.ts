import type { Adapter, TrackedSessions } from '../base/model.ts'
import type { LazyTracker, Tracker } from '../session/tracker.ts'
import type { AuthConfig } from './options.ts'

/** Keeps which sessions in cookies there are; null where nobody wants to know. */
export function trackerOf(options: AuthConfig): LazyTracker | null {
  const store = trackStoreOf(options)
  if (!store) return null
  let opened: Promise<Tracker> | undefined
  return () => {
    opened ??= import('../devices/track-sessions.ts').then(({ createTracker }) =>
      createTracker(store, { ...options, ...options.ports }),
    )
    return opened
  }
}

/** Where sessions in cookies are kept; undefined where they are not, or cannot be. */
export function trackStoreOf({ session, adapter }: AuthConfig): TrackedSessions | undefined {
  const { track } = session ?? {}
  if (track !== true) return track || undefined
  // Applications that wrap each member of an adapter in a function make one of this, too.
  const store = adapter?.trackedSessions
  return store?.list ? store : undefined
}

/** Whether the rows of sessions have columns for what is known of them. */
export function takesDetails(adapter: Adapter | undefined): boolean {
  return takesMore(adapter, 'sessions')
}

/** Whether a table takes more than the contract has. */
export function takesMore(
  adapter: Adapter | undefined,
  table: NonNullable<Adapter['extends']>[number],
): boolean {
  const tables: unknown = adapter?.extends
  return Array.isArray(tables) && tables.includes(table)
}
