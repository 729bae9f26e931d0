import { hashedName, isStoredName } from '../database/row-name.ts'

/**
 * The sessions that this process was asked to end, and that the store has not deleted. With sessions in cookies, the view of
 * the log does this.
 */
export interface RejectedSessions {
  /** Whether there is one: looked at by every session check. */
  hasAny(): boolean
  /** @param name a token, or its name in the store */
  has(name: string, now: number): Promise<boolean>
  /** @param end ends the session in the store, which is tried again later */
  add(name: string, rejection: Rejection): Promise<void>
  /** Tries to end them in the store, unless that was tried a moment ago. A failure is not thrown. */
  retry(now: () => number): Promise<void>
}

interface Rejection {
  /** When it has expired, in milliseconds. */
  readonly until: number
  readonly end: () => Promise<unknown>
}

/** Without a limit, signing out again and again could fill the memory. */
const MAX_REFUSED = 10_000
/** How often it is tried to end them in the store, in milliseconds. */
export const RETRY_AFTER = 10_000

/** Makes the {@link RejectedSessions} of a process. */
export function createRejectedSessions(): RejectedSessions {
  /** By digests of their tokens, the oldest first. */
  const rejected = new Map<string, Rejection>()
  let triedAt: number | undefined

  async function retry(now: () => number): Promise<void> {
    const time = now()
    if (triedAt !== undefined && Math.abs(time - triedAt) < RETRY_AFTER) return
    triedAt = time
    for (const [digest, rejection] of [...rejected]) {
      try {
        if (rejection.until > time) await rejection.end()
      } catch {
        return // It was reported when the session was to be ended.
      }
      if (rejected.get(digest) === rejection) rejected.delete(digest)
    }
  }

  return {
    hasAny: () => rejected.size > 0,
    async has(name, now) {
      const rejection = rejected.get(await digestOf(name))
      return rejection !== undefined && rejection.until > now
    },
    async add(name, rejection) {
      const digest = await digestOf(name)
      const [oldest] = rejected.size >= MAX_REFUSED ? rejected.keys() : []
      if (oldest !== undefined) rejected.delete(oldest)
      rejected.set(digest, rejection)
    },
    retry,
  }
}

/** Names in the store may be such digests already. */
async function digestOf(name: string): Promise<string> {
  return isStoredName(name) ? name : hashedName(name)
}
