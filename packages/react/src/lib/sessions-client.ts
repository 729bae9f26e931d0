import type { FindEndpoints } from './endpoints.ts'
import { endSessions, readSessions } from './own-sessions.ts'
import { createUseSessions, type SessionCalls, type UseSessions } from './use-sessions.ts'

/** The functions about somebody's sessions, and the hook, for the endpoints at one place. */
export interface SessionsClient extends SessionCalls {
  readonly useSessions: UseSessions
}

/** Makes them. */
export function sessionsAt(find: FindEndpoints): SessionsClient {
  const calls: SessionCalls = {
    listSessions: () => readSessions(find()),
    endSession: handle => endSessions(find(), { handle }),
    endOtherSessions: () => endSessions(find(), { others: true }),
  }
  return { ...calls, useSessions: createUseSessions(calls) }
}
