import type { Callbacks, SessionParams } from '../../base/callbacks.ts'
import type { Session } from '../../base/session.ts'
import { timeText } from '../iso-time.ts'

/** Callbacks for database sessions, whose `session` answers what the browser gets. */
export function answeringPlainly(callbacks: Partial<Callbacks>): Partial<Callbacks> {
  const { session } = callbacks
  if (!session) return callbacks
  return {
    ...callbacks,
    async session(params) {
      const result = await session.call(callbacks as Callbacks, params) // all that the application has
      // A value that is not a session is judged by the caller.
      return result && plainSession(result, params)
    },
  }
}

/**
 * The result of a callback for a database session, as the browser gets it: without members that copies leave out, and
 * with its expiry as text. So the server gets the same, and frameworks get the plain objects they want.
 */
function plainSession(result: Session, given: SessionParams): Session {
  const isPlain = Object.getPrototypeOf(result) === Object.prototype
  if (!isPlain && result !== given.session) return result
  const session: Record<string, unknown> = { ...result }
  for (const name of Object.keys(session)) {
    if (session[name] === given.user) session[name] = { ...given.user }
  }
  const { expires } = session
  if (expires instanceof Date && !Number.isNaN(expires.getTime())) {
    session['expires'] = timeText(expires.getTime())
  }
  return session as unknown as Session // member by member the same
}
