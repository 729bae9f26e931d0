import { type FindEndpoints, sessionsAt } from '@siteauth/client/integration'
import type { SessionsClient as BareClient } from '@siteauth/client/sessions'
import { createUseSessions, type UseSessions } from './use-sessions.ts'

/** The calls about sessions, and the hook, for one set of endpoints. */
export interface SessionsClient extends BareClient {
  readonly useSessions: UseSessions
}

/** Makes them. */
export function createSessions(find: FindEndpoints): SessionsClient {
  const sessions = sessionsAt(find)
  return { sessions, useSessions: createUseSessions(sessions) }
}
