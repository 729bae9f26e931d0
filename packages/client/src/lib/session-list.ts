import type { ClientSessionCalls } from '@siteauth/core/integration'
import type { ListedSession } from '@siteauth/core/types'

/** What is known of somebody's sessions. */
export interface SessionList {
  /** Undefined before the first answer; empty where nobody is signed in. */
  readonly data: readonly ListedSession[] | undefined
  /** Why they could not be read the last time, or null. `data` is then what was known before. */
  readonly error: Error | null
}

/** What can be done about them. */
export interface SessionListControls {
  /** Asks the server again. */
  readonly refresh: () => Promise<void>
  /** Ends one of them. Resolves with whether it was there, when `data` lacks it. */
  readonly end: (handle: string) => Promise<boolean>
  /** Ends all but this one. */
  readonly endOthers: () => Promise<boolean>
}

/** Makes the functions for a list. `change` is told how it changes. */
export function sessionListControls(
  calls: ClientSessionCalls,
  change: (next: (current: SessionList) => SessionList) => void,
): SessionListControls {
  let latest = 0
  async function refresh(): Promise<void> {
    const turn = ++latest
    // One that was asked for later counts, whichever is answered first.
    const tell: typeof change = next => turn === latest && change(next)
    try {
      const data = await calls.list()
      tell(() => ({ data, error: null }))
    } catch (error) {
      tell(({ data }) => ({ data, error: error as Error })) // nothing else is thrown by fetch or us
    }
  }
  async function andRefresh(ending: Promise<boolean>): Promise<boolean> {
    const isEnded = await ending
    await refresh()
    return isEnded
  }
  return {
    refresh,
    end: handle => andRefresh(calls.end(handle)),
    endOthers: () => andRefresh(calls.endOthers()),
  }
}
