import {
  type SessionList,
  type SessionListControls,
  sessionListControls,
} from '@siteauth/client/integration'
import type { ClientSessionCalls } from '@siteauth/core/integration'
import type { ListedSession } from '@siteauth/core/types'
import { useEffect, useState } from 'react'

/** What `useSessions` answers. */
export interface SessionListState extends SessionList, SessionListControls {}

/**
 * The hook that lists somebody's sessions.
 *
 * @param initial the list as the server rendered it: nothing is then asked for at the beginning
 */
export type UseSessions = (initial?: readonly ListedSession[]) => SessionListState

/** Makes the hook for the endpoints at some place. */
export function createUseSessions(sessions: ClientSessionCalls): UseSessions {
  return initial => {
    const [list, change] = useState<SessionList>({ data: initial, error: null })
    const [controls] = useState(() => sessionListControls(sessions, change))
    const isRendered = initial !== undefined
    useEffect(() => {
      if (!isRendered) void controls.refresh()
    }, [isRendered, controls])
    return { ...list, ...controls }
  }
}
