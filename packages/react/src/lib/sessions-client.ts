import { type FindEndpoints, type SessionCalls, sessionsAt } from '@siteauth/client/integration'
import { createUseSessions, type UseSessions } from './use-sessions.ts'

/** The functions about somebody's sessions, and the hook, for the endpoints at one place. */
export interface SessionsClient extends SessionCalls {
  readonly useSessions: UseSessions
}

/** Makes them. */
export function createSessions(find: FindEndpoints): SessionsClient {
  const calls = sessionsAt(find)
  return { ...calls, useSessions: createUseSessions(calls) }
}
