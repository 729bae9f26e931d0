import type { ListedSession } from '@siteauth/core/types'
import { useCallback, useEffect, useState } from 'react'

/** What `useSessions` answers. */
export interface KnownSessions {
  /** Undefined before the first answer; empty where nobody is signed in. */
  readonly data: readonly ListedSession[] | undefined
  /** Why they could not be read the last time, or null. `data` is then what was known before. */
  readonly error: Error | null
  /** Asks the server again. */
  readonly refresh: () => Promise<void>
  /** Ends one of them. Resolves with whether it was there, when `data` lacks it. */
  readonly end: (handle: string) => Promise<boolean>
  /** Ends all but this one. */
  readonly endOthers: () => Promise<boolean>
}

/** The functions about somebody's sessions, for the endpoints at one place. */
export interface SessionCalls {
  readonly listSessions: () => Promise<readonly ListedSession[]>
  readonly endSession: (handle: string) => Promise<boolean>
  readonly endOtherSessions: () => Promise<boolean>
}

/**
 * The hook that lists somebody's sessions.
 *
 * @param initial the list as the server rendered it: nothing is then asked for at the beginning
 */
export type UseSessions = (initial?: readonly ListedSession[]) => KnownSessions

/** Makes the hook for the endpoints at some place. */
export function createUseSessions(client: SessionCalls): UseSessions {
  return initial => {
    const [{ data, error }, set] = useState<Pick<KnownSessions, 'data' | 'error'>>({
      data: initial,
      error: null,
    })
    const refresh = useCallback(async () => {
      try {
        const data = await client.listSessions()
        set({ data, error: null })
      } catch (error) {
        set(known => ({ ...known, error: error as Error })) // nothing else is thrown by fetch or us
      }
    }, [])
    const end = useCallback(
      async (handle: string) => andThen(refresh, await client.endSession(handle)),
      [refresh],
    )
    const endOthers = useCallback(
      async () => andThen(refresh, await client.endOtherSessions()),
      [refresh],
    )
    const isKnown = initial !== undefined
    useEffect(() => {
      if (!isKnown) void refresh()
    }, [isKnown, refresh])
    return { data, error, refresh, end, endOthers }
  }
}

async function andThen(refresh: () => Promise<void>, isEnded: boolean): Promise<boolean> {
  await refresh()
  return isEnded
}
