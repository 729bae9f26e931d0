import { hashedName, isStoredName } from '../database/row-name.ts'

/**
 * The sessions that this process was asked to end, and that the store has not deleted. With sessions in cookies, the view of
 * the log does this.
 */
export interface RefusedSessions {
  /** Whether there is one: looked at by every session check. */
  hasAny(): boolean
  /** @param name a token, or its name in the store */
  has(name: string, now: number): Promise<boolean>
  /** @param end ends the session in the store, which is tried again later */
  add(name: string, refusal: Refusal): Promise<void>
  /** Tries to end them in the store, unless that was tried a moment ago. A failure is not thrown. */
  retry(now: () => number): Promise<void>
}

interface Refusal {
  /** When it has expired, in milliseconds. */
  readonly until: number
  readonly end: () => Promise<unknown>
}

/** Without a limit, signing out again and again could fill the memory. */
const MAX_REFUSED = 10_000
/** How often it is tried to end them in the store, in milliseconds. */
export const RETRY_AFTER = 10_000

/** Makes the {@link RefusedSessions} of a process. */
export function createRefusedSessions(): RefusedSessions {
  /** By digests of their tokens, the oldest first. */
  const refused = new Map<string, Refusal>()
  let triedAt: number | undefined

  async function retry(now: () => number): Promise<void> {
    const time = now()
    if (triedAt !== undefined && Math.abs(time - triedAt) < RETRY_AFTER) return
    triedAt = time
    for (const [digest, refusal] of [...refused]) {
      try {
        if (refusal.until > time) await refusal.end()
      } catch {
        return // It was reported when the session was to be ended.
      }
      if (refused.get(digest) === refusal) refused.delete(digest)
    }
  }

  return {
    hasAny: () => refused.size > 0,
    async has(name, now) {
      const refusal = refused.get(await digestOf(name))
      return refusal !== undefined && refusal.until > now
    },
    async add(name, refusal) {
      const digest = await digestOf(name)
      const [oldest] = refused.size >= MAX_REFUSED ? refused.keys() : []
      if (oldest !== undefined) refused.delete(oldest)
      refused.set(digest, refusal)
    },
    retry,
  }
}

/** Names in the store may be such digests already. */
async function digestOf(name: string): Promise<string> {
  return isStoredName(name) ? name : hashedName(name)
}
