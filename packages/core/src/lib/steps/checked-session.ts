import type { Session } from '../base/model.ts'
import type { SetCookie } from '../http/cookies.ts'

/** A session, and what must happen to its cookie. */
export interface CheckedSession {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
  /** Whether it is known that renewing, where it was not asked for, would have changed nothing. */
  readonly isCurrent?: boolean | undefined
}
