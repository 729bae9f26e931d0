import type { ListedSession } from '@siteauth/core/types'
import type { FindEndpoints } from './endpoints.ts'
import { endSessions, readSessions } from './own-sessions.ts'
import { createUseSessions, type KnownSessions } from './use-sessions.ts'

/** The functions about somebody's sessions, for the endpoints at one place. */
export interface SessionsClient {
  readonly listSessions: () => Promise<readonly ListedSession[]>
  readonly endSession: (handle: string) => Promise<boolean>
  readonly endOtherSessions: () => Promise<boolean>
  readonly useSessions: (initial?: readonly ListedSession[]) => KnownSessions
}

/** Makes them. */
export function sessionsAt(find: FindEndpoints): SessionsClient {
  const client = {
    listSessions: () => readSessions(find()),
    endSession: (handle: string) => endSessions(find(), { handle }),
    endOtherSessions: () => endSessions(find(), { others: true }),
  }
  return { ...client, useSessions: createUseSessions(client) }
}
