import type { SessionParams } from '../callbacks.ts'
import type { Session } from '../model.ts'
import { timeText } from './time-text.ts'

/**
 * What a callback made of a database session, as the browser gets it: without what copies pass over, and
 * with its end as a text. So the server is told the same.
 */
export function plainSession(answer: Session, given: SessionParams): Session {
  if (Object.getPrototypeOf(answer) !== Object.prototype) return answer
  const isUser = answer.user === given.user
  const end: unknown = answer.expires
  const isTime = end instanceof Date && !Number.isNaN(end.getTime())
  if (answer !== given.session && !isUser && !isTime) return answer
  return {
    ...answer,
    ...(isUser && { user: { ...given.user } }),
    ...(isTime && { expires: timeText(end.getTime()) }),
  }
}
